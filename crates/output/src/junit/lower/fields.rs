//! Field accesses that mean the very field that the test case names.

use bytecode::signature::ClassType;
use bytecode::subtyping::raw;
use testcase::cluster::{Field, FieldId};
use testcase::statement::VarRef;

use super::Unprintable;
use super::body::Body;
use super::calls::{member_name, mentions_any};
use crate::junit::ast::{Expr, Warning, classes_of};
use crate::junit::literals::Context;

impl Body<'_> {
    /// A field, of an object or static. `write` where it is assigned to.
    pub(super) fn field(
        &mut self,
        id: FieldId,
        receiver: Option<VarRef>,
        write: bool,
    ) -> Result<Expr, Unprintable> {
        let field = self.context.cluster.field(id);
        let name = member_name(&field.name)?;
        if let Some(info) = self.context.view.hierarchy.class(&field.declared_in)
            && let Some(found) = info.field(&field.name)
        {
            self.suppressed.extend(found.deprecated.map(Warning::from));
            self.note_source_type(&found.generic, Some(field.of));
        }
        let Some(receiver) = receiver else {
            let class = self.static_class(field.owner, &field.declared_in, false)?;
            if !self.finds(field, &ClassType::new(class.clone())) {
                return Err(Unprintable::Hidden(format!("{}.{name}", class.binary())));
            }
            return Ok(Expr::Constant { class, name });
        };
        let object = self.operand(receiver, Context::Argument)?;
        let of = self.variable_type(receiver);
        for view in self.views(object, &of, field.owner, &field.declared_in) {
            let captured = write && !view.forced && self.is_captured_field(field, &view.class);
            if captured || !self.finds(field, &view.class) {
                continue;
            }
            if view.raw && self.is_generic_field(field) {
                self.suppressed.insert(Warning::Unchecked);
            }
            self.note_view(&view);
            let access = Expr::Field { object: Box::new(view.object), name };
            let of = self.context.cluster.ty(field.of).generic.clone();
            let erased = view.raw && !write && self.is_generic_field(field);
            return Ok(if erased { access.cast(of) } else { access });
        }
        Err(Unprintable::Hidden(format!("{}.{name}", field.declared_in.binary())))
    }

    /// A value to write to a field. What the test knows of a field whose type it cannot name (`Map<Private, X>` as
    /// `Map<?, X>`) is enough to read it; to write it takes the raw type.
    pub(super) fn fitted(&mut self, value: Expr, id: FieldId) -> Expr {
        let field = self.context.cluster.field(id);
        let info = self.context.view.hierarchy.class(&field.declared_in);
        let declared = info.as_ref().and_then(|info| info.field(&field.name)).map(|found| &found.generic);
        let Some(declared) = declared else {
            return value;
        };
        let mut hidden = false;
        classes_of(declared, &mut |class| hidden |= !self.context.view.can_name(class));
        let raw = raw(declared);
        if !hidden || !self.context.view.can_name_type(&raw) {
            return value;
        }
        self.suppressed.extend([Warning::RawTypes, Warning::Unchecked]);
        value.cast(raw)
    }

    /// A variable's value to write to a field: of its raw type where its own type arguments keep it out of the field as the object that
    /// is written to has it. The test case may know the field from a raw type, which takes more.
    pub(super) fn taken_by_field(
        &mut self,
        value: Expr,
        variable: VarRef,
        (id, receiver): (FieldId, Option<VarRef>),
    ) -> Expr {
        let field = self.context.cluster.field(id);
        let hierarchy = self.context.view.hierarchy;
        let seen = hierarchy.class(&field.declared_in).and_then(|info| {
            let declared = &info.field(&field.name)?.generic;
            let Some(receiver) = receiver else { return Some(declared.clone()) };
            let of = self.variable_type(receiver);
            let owner = hierarchy.as_super(of.as_class()?, &field.declared_in)?;
            Some(declared.substitute(&hierarchy.substitution_of(&info, &owner)?))
        });
        let Some(seen) = seen else { return value };
        let own = if let Expr::Cast { to, .. } = &value {
            to.clone()
        } else if self.follows_its_target(variable) {
            return value;
        } else {
            self.variable_type(variable)
        };
        let raw = raw(&seen);
        if !self.is_refused(&own, &seen) || !self.context.view.can_name_type(&raw) {
            return value;
        }
        self.suppressed.extend([Warning::RawTypes, Warning::Unchecked]);
        value.cast(raw)
    }

    /// Whether the name means the field in a class: no other field between hides it (Java language specification
    /// §8.3, §6.5.6.2).
    fn finds(&self, field: &Field, class: &ClassType) -> bool {
        let hierarchy = self.context.view.hierarchy;
        if hierarchy.class(&class.name).is_none() {
            return true;
        }
        let supertypes = hierarchy.supertypes(&class.name);
        let declaring = supertypes.iter().find(|name| {
            let found = hierarchy.class(name);
            found.is_some_and(|info| {
                let visible =
                    |access| **name == class.name || self.context.view.inherits(&class.name, name, access);
                info.field(&field.name)
                    .is_some_and(|found| !found.access.is_synthetic() && visible(found.access))
            })
        });
        declaring == Some(&field.declared_in)
    }

    fn is_generic_field(&self, field: &Field) -> bool {
        let info = self.context.view.hierarchy.class(&field.declared_in);
        info.is_some_and(|info| {
            info.field(&field.name).is_some_and(|found| mentions_any(&info, &found.generic))
        })
    }

    fn is_captured_field(&self, field: &Field, receiver: &ClassType) -> bool {
        let info = self.context.view.hierarchy.class(&field.declared_in);
        info.is_some_and(|info| {
            let of = &self.context.cluster.ty(field.of).generic;
            info.field(&field.name)
                .is_some_and(|found| self.context.view.is_captured(receiver, &info, &found.generic, of))
        })
    }
}
