//! Fields that a container fills and that a test may not write ([`testcase::cluster::injected`]): written by reflection, as the container does.
//! Where the project has `ReflectionTestUtils` of Spring, that says it; elsewhere a method of the test class does.

use bytecode::signature::GenericType;
use testcase::cluster::FieldId;
use testcase::statement::VarRef;

use super::Unprintable;
use super::body::Body;
use crate::junit::ast::{Expr, Receiver, Stmt};
use crate::junit::injection::METHOD;
use crate::junit::literals::Context;

impl Body<'_> {
    /// The statement that writes a hidden field.
    pub(super) fn injection(
        &mut self,
        field: FieldId,
        receiver: Option<VarRef>,
        value: VarRef,
    ) -> Result<Stmt, Unprintable> {
        let declared = self.context.cluster.field(field);
        let object = match receiver {
            Some(receiver) => self.operand(receiver, Context::Argument)?,
            None => Expr::null(),
        };
        let of = self.context.cluster.ty(declared.of).generic.clone();
        let mut written = self.operand(value, Context::Argument)?;
        if matches!(written, Expr::Lambda { .. } | Expr::MethodReference { .. }) {
            // What takes any object says nothing of their type.
            self.name_type(&of)?;
            written = written.cast(of);
        }
        let name = Expr::Text((&*declared.name).into());
        let call = |receiver, name: &str, arguments| Expr::Call {
            receiver,
            type_arguments: Vec::new(),
            name: name.to_owned(),
            arguments,
        };
        if let Some((class, method)) = self.context.injecting.library() {
            return Ok(Stmt::Evaluate(call(Receiver::Class(class), method, vec![object, name, written])));
        }
        self.name_class(&declared.declared_in)?;
        self.note_exceptions(&["java/lang/ReflectiveOperationException".into()]);
        let declaring = Expr::ClassLiteral(GenericType::class(declared.declared_in.clone()));
        Ok(Stmt::Evaluate(call(Receiver::Own, METHOD, vec![declaring, object, name, written])))
    }
}
