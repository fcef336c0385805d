//! The statements of a test method.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::assertion::ObservationTarget;
use testcase::cluster::{Callable, CallableKind, TypeId};
use testcase::execution::{ThrowOrigin, Thrown};
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

use super::plan::{Placement, Plan, is_constant};
use super::{Lowered, Lowering, Unprintable, is_reifiable, stubs};
use crate::asserted_test::AssertedTest;
use crate::assertion::united::act;
use crate::junit::ast::{Expr, Line, Method, Needs, Stmt, ThrowsForm, Warning};
use crate::junit::imports::ShortNames;
use crate::junit::layout::type_name;
use crate::junit::literals::{Context, boxed_literal, literal};
use crate::junit::naming::variables::{Scope, wishes};

/// Bodies with more lines than this get an empty line before what they check.
pub(crate) const DENSE_LINES: usize = 4;

/// A test method under construction.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) context: Lowering<'a>,
    pub(super) test: &'a AssertedTest,
    pub(super) plan: Plan,
    /// Names of the variables declared so far.
    pub(super) names: Vec<Option<String>>,
    /// By stub: the list that records its calls.
    pub(super) calls: BTreeMap<VarRef, String>,
    pub(super) scope: Scope<'a>,
    /// Warnings that the line to be written next brings.
    pub(super) suppressed: BTreeSet<Warning>,
    /// Checked exceptions that the statements written so far declare.
    checked: BTreeSet<ClassName>,
    /// Those that the line to be written next does.
    thrown: BTreeSet<ClassName>,
    lines: Vec<Line>,
    unsaid: Vec<usize>,
    /// The variable that holds the exception of the test, while something is asserted of it.
    pub(super) exception: Option<String>,
    /// A name that is kept for the variable of a statement to come.
    subject: Option<(usize, String)>,
}

/// Whether the exception is asked that ended the test.
fn is_of_exception(target: ObservationTarget) -> bool {
    match target {
        ObservationTarget::Message | ObservationTarget::Cause => true,
        ObservationTarget::Value(_)
        | ObservationTarget::Inspector(..)
        | ObservationTarget::Nested(..)
        | ObservationTarget::Field(..)
        | ObservationTarget::Same(..)
        | ObservationTarget::Calls(..)
        | ObservationTarget::Elements(..)
        | ObservationTarget::Printed(_)
        | ObservationTarget::Files => false,
    }
}

impl<'a> Body<'a> {
    pub(super) fn new(context: Lowering<'a>, test: &'a AssertedTest) -> Self {
        let mut scope = Scope::new(context.reserved);
        stubs::reserve_members(&context, test, &mut scope);
        Self {
            context,
            test,
            plan: Plan::new(context.cluster, context.view.hierarchy, test, &|variable| {
                context.is_mock(test, variable)
            }),
            names: vec![None; test.test.len()],
            calls: BTreeMap::new(),
            scope,
            suppressed: BTreeSet::new(),
            checked: BTreeSet::new(),
            thrown: BTreeSet::new(),
            lines: Vec::new(),
            unsaid: Vec::new(),
            exception: None,
            subject: None,
        }
    }

    /// The position and the name of the object that the test is about, where one before it would get that name: what a test is about is called by
    /// what it is, and the other one is the other.
    fn name_of_subject(&mut self) -> Option<(usize, String)> {
        let (cluster, hierarchy) = (self.context.cluster, self.context.view.hierarchy);
        let test = &self.test.test;
        let subject = test.statement(act(cluster, test)?).receiver()?;
        // What another object gave is its result.
        let is_given = test.statement(subject).receiver().is_some();
        let subject = Some(subject.index()).filter(|_| !is_given)?;
        let wish = |position: usize| {
            let is_declared = self.plan.placements[position] == Placement::Declared;
            let wishes = is_declared.then(|| wishes(cluster, hierarchy, test, VarRef::from(position)))?;
            wishes.into_iter().next()
        };
        let name = wish(subject)?;
        let is_wished_before = (0..subject).any(|position| wish(position).as_ref() == Some(&name));
        is_wished_before.then(|| (subject, self.scope.give(&name)))
    }

    pub(super) fn lower(mut self) -> Result<Lowered, Unprintable> {
        let mut expected = None;
        self.subject = self.name_of_subject();
        let thrown = self.test.expected.as_ref();
        for position in 0..self.test.test.len() {
            if let Some(thrown) = thrown.filter(|_| position + 1 == self.test.test.len()) {
                expected = self.throwing_statement(position, thrown)?;
                if expected.is_some() {
                    // Behind what throws nothing is looked at.
                    self.unsaid.extend(self.asserted_behind(position));
                    break;
                }
            } else if let Some(written) = self.plan.written_at(position) {
                self.statement(written)?;
            }
            self.assertions_behind(position)?;
        }
        if thrown.is_none() && self.context.says_completion {
            self.say_completion();
        }
        self.open_up();
        let throws = self.context.view.thrown_type(&self.checked);
        let mut suppressed = self.suppressed;
        suppressed.extend(self.lines.iter().flat_map(|line| &line.needs.suppressed));
        Ok(Lowered {
            method: Method {
                name: String::new(),
                display_name: None,
                nested: None,
                table: None,
                suppressed,
                expected,
                throws,
                body: self.lines,
            },
            unsaid: self.unsaid,
        })
    }

    pub(super) fn push(&mut self, statement: Stmt) {
        let line = self.line(statement, None);
        self.lines.push(line);
    }

    /// The line of a statement, with what was noted since the last one.
    fn line(&mut self, statement: Stmt, assertion: Option<usize>) -> Line {
        let mut suppressed = std::mem::take(&mut self.suppressed);
        suppressed.extend(self.context.view.warnings(&statement));
        let needs = Needs { suppressed, checked: std::mem::take(&mut self.thrown) };
        Line { statement, assertion, needs }
    }

    fn statement(&mut self, position: usize) -> Result<(), Unprintable> {
        let statement = match self.plan.placements[position] {
            Placement::Declared => {
                let declared = self.declaration(position)?;
                self.push(declared);
                return self.stubbing(VarRef::from(position));
            }
            Placement::Evaluated => self.evaluation(position)?,
            Placement::Asserted | Placement::Inline | Placement::Folded | Placement::Omitted => return Ok(()),
        };
        self.push(statement);
        Ok(())
    }

    fn declaration(&mut self, position: usize) -> Result<Stmt, Unprintable> {
        let variable = VarRef::from(position);
        let of = self.variable_type(variable);
        self.name_type(&of)?;
        self.declare_calls(variable);
        // It is in scope within its own value, where a lambda may not call a parameter the same (Java language specification §6.4).
        let wished = wishes(self.context.cluster, self.context.view.hierarchy, &self.test.test, variable);
        let subject = self.subject.take_if(|(subject, _)| *subject == position);
        let name = subject.map_or_else(|| self.scope.give_first(&wished), |(_, name)| name);
        let value = self.expression(position, Context::Assignment, true)?;
        self.names[position] = Some(name.clone());
        Ok(Stmt::Declare { of, name, value })
    }

    fn evaluation(&mut self, position: usize) -> Result<Stmt, Unprintable> {
        Ok(match self.test.test.statement(VarRef::from(position)) {
            Statement::FieldWrite { field, receiver, value } if self.context.cluster.is_hidden(*field) => {
                self.injection(*field, *receiver, *value)?
            }
            Statement::FieldWrite { field, receiver, value } => {
                let target = self.field(*field, *receiver, true)?;
                let of = self.context.cluster.field(*field).of;
                let written = self.operand(*value, self.context_of(*value, of))?;
                let written = self.fitted(written, *field);
                Stmt::Assign { target, value: self.taken_by_field(written, *value, (*field, *receiver)) }
            }
            Statement::ArrayWrite { array, index, value } => {
                let element = self.type_of(*array).and_then(|of| self.context.cluster.ty(of).element);
                let context = element.map_or(Context::Argument, |of| self.context_of(*value, of));
                let array = Box::new(self.operand(*array, Context::Argument)?);
                Stmt::Assign {
                    target: Expr::Element { array, index: *index },
                    value: self.operand(*value, context)?,
                }
            }
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::Array { .. }
            | Statement::Stub { .. } => {
                Stmt::Evaluate(self.expression(position, Context::Argument, false)?)
            }
        })
    }

    /// The statement that throws, in the form that suits the exception and the version of JUnit; gives the class
    /// for `@Test(expected = …)` where that form is used.
    fn throwing_statement(
        &mut self,
        position: usize,
        thrown: &Thrown,
    ) -> Result<Option<ClassName>, Unprintable> {
        let before = std::mem::take(&mut self.checked);
        // A failed cast of a generic result only happens where the result goes into a variable, and reading a
        // field is no statement.
        let needs_variable = match self.test.test.statement(VarRef::from(position)) {
            Statement::FieldRead { .. } | Statement::Array { .. } | Statement::Stub { .. } => true,
            Statement::Method { callable, .. } => {
                let callable = self.context.cluster.callable(*callable);
                thrown.origin == ThrowOrigin::Statement
                    && thrown.class.as_str() == "java/lang/ClassCastException"
                    && callable.result_cast.is_some()
            }
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Constructor { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. } => false,
        };
        let action = if needs_variable { self.declaration(position)? } else { self.evaluation(position)? };
        let exception = self.context.view.expected_class(&thrown.class);
        let form = self.throws_form(&exception);
        let mut inside = std::mem::replace(&mut self.checked, before);
        match form {
            ThrowsForm::AssertThrows => inside.clear(),
            ThrowsForm::TryFailCatch => {
                let hierarchy = self.context.view.hierarchy;
                inside.retain(|class| !hierarchy.is_subclass(class, &exception));
            }
            ThrowsForm::Annotation => {}
        }
        self.checked.extend(inside.iter().cloned());
        self.thrown = inside;
        let expected = (form == ThrowsForm::Annotation).then(|| exception.clone());
        let (name, checks) =
            if expected.is_none() { self.exception_checks(position)? } else { (None, Vec::new()) };
        let throws = Stmt::Throws { exception, action: Box::new(action), form, name };
        let opens_catch = throws.opens_catch();
        self.push(throws);
        self.lines.extend(checks);
        if opens_catch {
            self.push(Stmt::EndCatch);
        }
        Ok(expected)
    }

    /// What is asserted of the exception that a statement throws, and the variable that holds it for that.
    fn exception_checks(&mut self, position: usize) -> Result<(Option<String>, Vec<Line>), Unprintable> {
        let mut indices = self.asserted_behind(position);
        indices.retain(|&index| is_of_exception(self.test.assertions[index].target));
        if indices.is_empty() {
            return Ok((None, Vec::new()));
        }
        self.exception = Some(self.scope.give_first(&["exception".to_owned(), "thrown".to_owned()]));
        let mut checks = Vec::new();
        for index in indices {
            match self.assertion(&self.test.assertions[index])? {
                Some(call) => checks.push(self.line(Stmt::Evaluate(call), Some(index))),
                None => self.unsaid.push(index),
            }
        }
        let name = self.exception.take().filter(|_| !checks.is_empty());
        Ok((name, checks))
    }

    /// The assertions that stand behind a statement.
    fn asserted_behind(&self, position: usize) -> Vec<usize> {
        let after = VarRef::from(position);
        let assertions = self.test.assertions.iter().enumerate();
        assertions.filter(|(_, assertion)| assertion.after == after).map(|(index, _)| index).collect()
    }

    /// A `catch` must not swallow the error of `fail`, and for a checked exception `javac` must see where it may
    /// come from (Java language specification §11.2.3).
    fn throws_form(&self, exception: &ClassName) -> ThrowsForm {
        if self.context.style.has_assert_throws() {
            return ThrowsForm::AssertThrows;
        }
        let hierarchy = self.context.view.hierarchy;
        let related = |declared: &ClassName| {
            hierarchy.is_subclass(declared, exception) || hierarchy.is_subclass(exception, declared)
        };
        let catches_failure = hierarchy.is_subclass(&"java/lang/AssertionError".into(), exception)
            || matches!(
                exception.as_str(),
                "java/lang/AssertionError" | "java/lang/Error" | "java/lang/Throwable"
            );
        let is_checked =
            self.context.view.is_checked(exception) && exception.as_str() != "java/lang/Exception";
        if catches_failure || (is_checked && !self.checked.iter().any(related)) {
            ThrowsForm::Annotation
        } else {
            ThrowsForm::TryFailCatch
        }
    }

    fn assertions_behind(&mut self, position: usize) -> Result<(), Unprintable> {
        let after = VarRef::from(position);
        let mut behind = self.asserted_behind(position);
        behind.retain(|&index| !is_of_exception(self.test.assertions[index].target));
        if self.plan.placements[position] == Placement::Asserted {
            // The assertion that contains the call comes first; if Java cannot say it, the call stands alone.
            let holds_call = |index: &usize| match self.test.assertions[*index].target {
                ObservationTarget::Value(variable)
                | ObservationTarget::Inspector(variable, _)
                | ObservationTarget::Nested(variable, ..)
                | ObservationTarget::Field(variable, _)
                | ObservationTarget::Elements(variable, _) => variable == after,
                ObservationTarget::Same(one, other) => one == after || other == after,
                ObservationTarget::Calls(..)
                | ObservationTarget::Message
                | ObservationTarget::Cause
                | ObservationTarget::Printed(_)
                | ObservationTarget::Files => false,
            };
            behind.sort_by_key(|index| !holds_call(index));
        }
        for (order, index) in behind.into_iter().enumerate() {
            let assertion = &self.test.assertions[index];
            let several = match self.verified_calls(assertion)? {
                Some(statements) => Some(statements),
                None => self.file_checks(assertion),
            };
            if let Some(statements) = several {
                for statement in statements {
                    let line = self.line(statement, Some(index));
                    self.lines.push(line);
                }
                continue;
            }
            let start = self.lines.len();
            if let Some(call) = self.assertion(&self.test.assertions[index])? {
                self.lines[start..].iter_mut().for_each(|line| line.assertion = Some(index));
                let line = self.line(Stmt::Evaluate(call), Some(index));
                self.lines.push(line);
                continue;
            }
            self.unsaid.push(index);
            if order == 0 && self.plan.placements[position] == Placement::Asserted {
                let statement = self.evaluation(position)?;
                self.push(statement);
            }
        }
        Ok(())
    }

    /// Makes an assertion of the last call where there is no other. Not of one whose type arguments `javac` infers: it could not
    /// tell whether the assertion is meant to give its result.
    fn say_completion(&mut self) {
        let Some(last) = self.test.test.len().checked_sub(1) else { return };
        let cluster = self.context.cluster;
        let called = self.test.test.statement(VarRef::from(last)).callable();
        let is_plain = called.map(|called| cluster.callable(called)).is_some_and(|called| {
            let made = GenericType::from(&cluster.ty(called.owner).erased);
            let infers = called.kind == CallableKind::Constructor && self.context.view.is_raw(&made);
            called.type_arguments.is_empty() && !infers
        });
        let checks = self.lines.iter().any(|line| line.assertion.is_some());
        let is_last = self.plan.placements[last] == Placement::Evaluated;
        let Some(line) = self.lines.last_mut().filter(|_| is_plain && is_last && !checks) else { return };
        if let Stmt::Evaluate(_) = line.statement {
            let action = std::mem::replace(&mut line.statement, Stmt::Blank);
            line.statement = Stmt::Completes(Box::new(action));
            line.needs.checked.clear();
            self.checked = self.lines.iter().flat_map(|line| line.needs.checked.iter().cloned()).collect();
        }
    }

    /// Sets off what is checked from what leads to it.
    fn open_up(&mut self) {
        let is_check = |line: &Line| {
            line.assertion.is_some()
                || matches!(line.statement, Stmt::Throws { .. } | Stmt::Completes(_) | Stmt::EndCatch)
        };
        let start = self.lines.iter().rposition(|line| !is_check(line)).map_or(0, |last| last + 1);
        if self.lines.len() > DENSE_LINES && start > 0 && start < self.lines.len() {
            let blank = Line { statement: Stmt::Blank, assertion: None, needs: Needs::default() };
            self.lines.insert(start, blank);
        }
    }

    /// Notes exceptions that a statement may throw as far as `javac` knows.
    pub(super) fn note_exceptions(&mut self, exceptions: &[ClassName]) {
        let checked = exceptions.iter().filter(|class| self.context.view.is_checked(class));
        for class in checked {
            self.checked.insert(class.clone());
            self.thrown.insert(class.clone());
        }
    }

    /// Notes what calling the member asks of the method: its exceptions and warnings.
    pub(super) fn note(&mut self, callable: &Callable) {
        self.note_exceptions(&callable.exceptions);
        self.suppressed.extend(callable.deprecated.map(Warning::from));
    }

    pub(super) fn type_of(&self, variable: VarRef) -> Option<TypeId> {
        self.test.test.variable_type(self.context.cluster, variable)
    }

    /// Declared type of a variable; `Object` for what defines none, which no valid test uses.
    pub(super) fn variable_type(&self, variable: VarRef) -> GenericType {
        let of = self.type_of(variable).unwrap_or(TypeId::OBJECT);
        self.context.cluster.ty(of).generic.clone()
    }

    /// Notes that a value declared with a raw type is taken for one of a parameterized type.
    pub(super) fn note_source_type(&mut self, declared: &GenericType, taken: Option<TypeId>) {
        let cluster = self.context.cluster;
        let parameterized = taken.is_some_and(|of| !self.context.view.is_raw(&cluster.ty(of).generic));
        if parameterized && self.context.view.is_raw(declared) {
            self.suppressed.insert(Warning::Unchecked);
        }
    }

    /// Checks that a type can be written, and notes the warnings that writing it brings.
    pub(super) fn name_type(&mut self, of: &GenericType) -> Result<(), Unprintable> {
        if !self.context.view.can_name_type(of) {
            return Err(Unprintable::Inaccessible(type_name(of, &ShortNames)));
        }
        if self.context.view.is_raw(of) {
            self.suppressed.insert(Warning::RawTypes);
        }
        Ok(())
    }

    pub(super) fn name_class(&self, class: &ClassName) -> Result<(), Unprintable> {
        if self.context.view.can_name(class) {
            Ok(())
        } else {
            Err(Unprintable::Inaccessible(class.binary()))
        }
    }

    /// A value where it is used.
    pub(super) fn operand(&mut self, variable: VarRef, context: Context) -> Result<Expr, Unprintable> {
        match &self.names[variable.index()] {
            Some(name) => Ok(Expr::Variable(name.clone())),
            None => self.expression(variable.index(), context, false),
        }
    }

    /// Whether a value is written where it is used.
    pub(super) fn is_inline(&self, variable: VarRef) -> bool {
        self.names[variable.index()].is_none()
    }

    /// An assignment narrows constants to its own type (Java language specification §5.2), a call does not.
    pub(super) fn context_of(&self, value: VarRef, target: TypeId) -> Context {
        let statement = self.test.test.statement(value);
        let own =
            if let Statement::Primitive { value, .. } = statement { value.primitive_type() } else { None };
        match own {
            Some(own) if target.as_primitive() == Some(own) || target.as_boxed() == Some(own) => {
                Context::Assignment
            }
            _ => Context::Argument,
        }
    }

    /// What a statement evaluates to; `bare` where the context gives an array initializer its type.
    pub(super) fn expression(
        &mut self,
        position: usize,
        context: Context,
        bare: bool,
    ) -> Result<Expr, Unprintable> {
        match self.test.test.statement(VarRef::from(position)) {
            Statement::Primitive { value: value @ Value::String(_), boxed: true } => Ok(boxed_literal(value)),
            Statement::Primitive { value, .. } => Ok(literal(value, context)),
            Statement::Null { .. } => Ok(Expr::null()),
            Statement::EnumConstant { field } => self.field(*field, None, false),
            Statement::FieldRead { field, receiver } => {
                let receiver = receiver.filter(|_| !is_constant(self.context.cluster, *field));
                self.field(*field, receiver, false)
            }
            Statement::ClassLiteral { class, .. } => {
                let of = GenericType::from(&self.context.cluster.ty(*class).erased);
                if !self.context.view.can_name_type(&of) {
                    return Err(Unprintable::Inaccessible(type_name(&of, &ShortNames)));
                }
                Ok(Expr::ClassLiteral(of))
            }
            Statement::Constructor { callable, arguments } => self.constructor(*callable, arguments),
            Statement::Method { callable, receiver, arguments } => {
                let used = self.plan.placements[position] != Placement::Evaluated;
                self.method(*callable, *receiver, arguments, used)
            }
            Statement::Array { of, length } => self.array(position, *of, *length, bare),
            Statement::FieldWrite { .. } | Statement::ArrayWrite { .. } => {
                Err(Unprintable::NoValue(position))
            }
            Statement::Stub { stub, script } => self.stub(position, *stub, script),
        }
    }

    fn array(&mut self, position: usize, of: TypeId, length: u16, bare: bool) -> Result<Expr, Unprintable> {
        let cluster = self.context.cluster;
        let declared = cluster.ty(of).generic.clone();
        let of_element = cluster.ty(of).element.unwrap_or(TypeId::OBJECT);
        let creatable = if is_reifiable(&declared) {
            declared
        } else {
            // Arrays of parameterized types can only be made raw.
            self.suppressed.insert(Warning::Unchecked);
            GenericType::from(&cluster.ty(of).erased)
        };
        self.name_type(&creatable)?;
        let elements = self.plan.arrays.get(&position).map_or_else(Vec::new, |plan| plan.elements.clone());
        if elements.is_empty() {
            return Ok(Expr::NewArray { of: creatable, length });
        }
        let bare = bare && is_reifiable(&cluster.ty(of).generic);
        let elements = elements
            .into_iter()
            .map(|element| match element {
                Some(variable) => self.array_element(variable, of_element),
                None => Ok(match of_element.as_primitive() {
                    Some(primitive) => literal(&Value::zero(primitive), Context::Assignment),
                    None => Expr::null(),
                }),
            })
            .collect::<Result<_, _>>()?;
        Ok(Expr::ArrayLiteral { of: (!bare).then_some(creatable), elements })
    }

    /// An element of an initializer; an array of the element type itself is written as its bare initializer.
    fn array_element(&mut self, variable: VarRef, of: TypeId) -> Result<Expr, Unprintable> {
        let bare = self.type_of(variable) == Some(of);
        if self.is_inline(variable)
            && bare
            && matches!(self.test.test.statement(variable), Statement::Array { .. })
        {
            return self.expression(variable.index(), Context::Assignment, true);
        }
        self.operand(variable, self.context_of(variable, of))
    }
}
