//! Whether a test case is well-formed beside its cluster: what every operation of the factory must keep.

use thiserror::Error;

use crate::cluster::{CallableId, CallableKind, FieldId, Stub, StubMethod, TestCluster, TypeId};
use crate::statement::{Answer, Arguments, Script, Statement, VarRef};
use crate::test_case::TestCase;

/// What is wrong with a test case.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("statement {position}: {defect}")]
pub struct InvalidTest {
    /// Position of the statement.
    pub position: usize,
    /// What is wrong with it.
    pub defect: Defect,
}

/// What is wrong with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Defect {
    /// It names an entry that the cluster does not have.
    #[error("it names an entry that the cluster does not have")]
    Unknown,
    /// It uses a position that is not earlier, or that defines no variable.
    #[error("it uses a variable that is not defined before it")]
    Undefined,
    /// A variable does not fit where it is used.
    #[error("a variable is of the wrong type")]
    Type,
    /// Too many or too few arguments.
    #[error("the number of arguments is wrong")]
    Arguments,
    /// A receiver where there must be none, none where there must be one, or `null`.
    #[error("the receiver is missing, superfluous or null")]
    Receiver,
    /// Another kind of callable, a final field that is written, a type that cannot be named.
    #[error("the kind of statement does not fit what it names")]
    Kind,
    /// An element beyond the end of its array.
    #[error("the index is beyond the length of the array")]
    Index,
    /// A stub without as many answers as its methods ask for, or with answers that they cannot give.
    #[error("the answers do not fit the methods of the stub")]
    Answers,
}

impl TestCase {
    /// Checks that statements use earlier variables of fitting types, in the way their callables ask for.
    ///
    /// # Errors
    /// The first statement that does not.
    pub fn validate(&self, cluster: &TestCluster) -> Result<(), InvalidTest> {
        for (position, statement) in self.statements().iter().enumerate() {
            let checker = Checker { cluster, earlier: &self.statements()[..position] };
            checker.check(statement).map_err(|defect| InvalidTest { position, defect })?;
        }
        Ok(())
    }
}

struct Checker<'a> {
    cluster: &'a TestCluster,
    earlier: &'a [Statement],
}

impl Checker<'_> {
    fn check(&self, statement: &Statement) -> Result<(), Defect> {
        match statement {
            Statement::Primitive { .. } => Ok(()),
            Statement::Null { of } => {
                self.ty(*of)?;
                require(self.cluster.is_reference(*of), Defect::Kind)
            }
            Statement::EnumConstant { field } => {
                let of = self.field(*field)?.of;
                require(self.ty(of)?.enum_constants.contains(field), Defect::Kind)
            }
            Statement::ClassLiteral { of, class } => {
                let (literal, class) = (self.ty(*of)?, self.ty(*class)?);
                require(crate::cluster::cost::is_class_literal(literal, class), Defect::Kind)
            }
            Statement::Constructor { callable, arguments } => {
                self.kind(*callable, |kind| kind == CallableKind::Constructor)?;
                self.arguments(*callable, arguments)
            }
            Statement::Method { callable, receiver, arguments } => {
                self.kind(*callable, |kind| kind != CallableKind::Constructor)?;
                let called = self.cluster.callable(*callable);
                self.receiver(*receiver, called.owner, called.kind == CallableKind::StaticMethod)?;
                self.arguments(*callable, arguments)
            }
            Statement::FieldRead { field, receiver } => {
                let field = self.field(*field)?;
                self.receiver(*receiver, field.owner, field.access.is_static())
            }
            Statement::FieldWrite { field, receiver, value } => {
                let field = self.field(*field)?;
                self.receiver(*receiver, field.owner, field.access.is_static())?;
                require(!field.access.is_final(), Defect::Kind)?;
                self.fits(*value, field.of)
            }
            Statement::Array { of, .. } => require(self.ty(*of)?.element.is_some(), Defect::Kind),
            Statement::ArrayWrite { array, index, value } => {
                let of = self.variable(*array)?;
                let element = self.ty(of)?.element.ok_or(Defect::Kind)?;
                self.fits(*value, element)?;
                if let Statement::Array { length, .. } = &self.earlier[array.index()] {
                    return require(index < length, Defect::Index);
                }
                require(!self.is_null(*array), Defect::Receiver)
            }
            Statement::Stub { stub, script } => {
                let stub = self.cluster.stubs.get(stub.index()).ok_or(Defect::Unknown)?;
                self.script(stub, script)
            }
        }
    }

    fn ty(&self, id: TypeId) -> Result<&crate::cluster::Type, Defect> {
        self.cluster.types.get(id.index()).ok_or(Defect::Unknown)
    }

    fn field(&self, id: FieldId) -> Result<&crate::cluster::Field, Defect> {
        self.cluster.fields.get(id.index()).ok_or(Defect::Unknown)
    }

    fn kind(&self, id: CallableId, accept: impl Fn(CallableKind) -> bool) -> Result<(), Defect> {
        let callable = self.cluster.callables.get(id.index()).ok_or(Defect::Unknown)?;
        require(accept(callable.kind), Defect::Kind)
    }

    fn variable(&self, variable: VarRef) -> Result<TypeId, Defect> {
        let statement = self.earlier.get(variable.index()).ok_or(Defect::Undefined)?;
        self.cluster.type_of(statement).ok_or(Defect::Undefined)
    }

    fn fits(&self, variable: VarRef, wanted: TypeId) -> Result<(), Defect> {
        let of = self.variable(variable)?;
        require(self.cluster.is_assignable(of, wanted), Defect::Type)
    }

    fn is_null(&self, variable: VarRef) -> bool {
        matches!(self.earlier[variable.index()], Statement::Null { .. })
    }

    fn receiver(&self, receiver: Option<VarRef>, owner: TypeId, is_static: bool) -> Result<(), Defect> {
        match receiver {
            None => require(is_static, Defect::Receiver),
            Some(receiver) => {
                require(!is_static, Defect::Receiver)?;
                self.fits(receiver, owner)?;
                require(!self.is_null(receiver), Defect::Receiver)
            }
        }
    }

    fn arguments(&self, id: CallableId, arguments: &Arguments) -> Result<(), Defect> {
        let callable = self.cluster.callable(id);
        require(callable.parameters.len() == arguments.len(), Defect::Arguments)?;
        for (parameter, argument) in callable.parameters.iter().zip(arguments) {
            self.fits(*argument, parameter.of)?;
        }
        match arguments.first() {
            Some(first) if callable.takes_enclosing_instance => {
                require(!self.is_null(*first), Defect::Receiver)
            }
            _ => Ok(()),
        }
    }
}

impl Checker<'_> {
    fn script(&self, stub: &Stub, script: &Script) -> Result<(), Defect> {
        match stub.constructor() {
            Some(constructor) => {
                self.kind(constructor, |kind| kind == CallableKind::Constructor)?;
                self.arguments(constructor, &script.arguments)?;
            }
            None => require(script.arguments.is_empty(), Defect::Arguments)?,
        }
        require(script.answers.len() == stub.methods.len(), Defect::Answers)?;
        for (method, answers) in stub.methods.iter().zip(&script.answers) {
            answers.iter().try_for_each(|answer| self.answer(stub, method, *answer))?;
        }
        Ok(())
    }

    fn answer(&self, stub: &Stub, method: &StubMethod, answer: Answer) -> Result<(), Defect> {
        match (answer, method.result) {
            (Answer::Value(variable), Some(result)) => self.fits(variable, result),
            (Answer::Parameter(index), Some(result)) => {
                let parameter = method.parameters.get(usize::from(index)).ok_or(Defect::Answers)?;
                require(self.cluster.is_assignable(parameter.of, result), Defect::Type)
            }
            (Answer::Itself, Some(result)) => {
                require(self.cluster.is_assignable(stub.of, result), Defect::Type)
            }
            (Answer::Throw(thrown), _) => {
                let of = self.variable(thrown)?;
                let may = method.throws.iter().any(|throws| self.cluster.is_assignable(of, *throws));
                require(may, Defect::Type)?;
                require(!self.is_null(thrown), Defect::Receiver)
            }
            (Answer::CallBack(number, passed), _) => {
                let called = method.callbacks.get(usize::from(number)).ok_or(Defect::Answers)?;
                let parameters = &self.cluster.callable(called.callable).parameters;
                require(passed.iter().flatten().count() == parameters.len(), Defect::Answers)?;
                let passed = passed.into_iter().flatten().zip(parameters);
                passed.into_iter().try_for_each(|(passed, parameter)| self.fits(passed, parameter.of))
            }
            (Answer::Return, None) => Ok(()),
            (Answer::Value(_) | Answer::Parameter(_) | Answer::Itself, None) | (Answer::Return, Some(_)) => {
                Err(Defect::Answers)
            }
        }
    }
}

fn require(holds: bool, defect: Defect) -> Result<(), Defect> {
    if holds { Ok(()) } else { Err(defect) }
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use smallvec::smallvec;

    use super::*;
    use crate::cluster::testing::ClusterBuilder;
    use crate::statement::Answers;
    use crate::value::Value;

    const INT: TypeId = TypeId(PrimitiveType::Int as u32);

    fn check(statements: Vec<Statement>, cluster: &TestCluster, expect: Result<(), Defect>) {
        let found = TestCase::new(statements).validate(cluster).map_err(|invalid| invalid.defect);
        assert_eq!(found, expect);
    }

    #[test]
    fn each_defect_is_found() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let new = builder.constructor(foo, &[INT]);
        let run = builder.method(foo, "run", &[TypeId::STRING], None);
        let numbers = builder.array(INT);
        let chain = builder.class("p/Chain");
        let chain = builder.stub(
            chain,
            None,
            &[("with", &[][..], Some(chain)), ("close", &[], None), ("size", &[], Some(INT))],
            &[],
        );
        let cluster = builder.build();
        let int = || Statement::Primitive { value: Value::Int(1), boxed: false };
        let text = || Statement::Primitive { value: Value::String("a".into()), boxed: false };
        let make =
            |argument| Statement::Constructor { callable: new, arguments: smallvec![VarRef(argument)] };
        let call = |receiver: Option<u16>, argument| Statement::Method {
            callable: run,
            receiver: receiver.map(VarRef),
            arguments: smallvec![VarRef(argument)],
        };
        let null = |of| Statement::Null { of };
        let write = |index, value| Statement::ArrayWrite { array: VarRef(0), index, value: VarRef(value) };
        let array = || Statement::Array { of: numbers, length: 2 };
        check(vec![int(), make(0), text(), call(Some(1), 2)], &cluster, Ok(()));
        check(vec![make(0)], &cluster, Err(Defect::Undefined));
        check(vec![text(), make(0)], &cluster, Err(Defect::Type));
        check(vec![int(), make(0), text(), call(None, 2)], &cluster, Err(Defect::Receiver));
        check(vec![null(foo), text(), call(Some(0), 1)], &cluster, Err(Defect::Receiver));
        check(vec![int(), make(0), text(), call(Some(1), 2), make(3)], &cluster, Err(Defect::Undefined));
        check(vec![null(INT)], &cluster, Err(Defect::Kind));
        check(vec![null(TypeId(999))], &cluster, Err(Defect::Unknown));
        check(
            vec![Statement::Constructor { callable: run, arguments: smallvec![] }],
            &cluster,
            Err(Defect::Kind),
        );
        check(
            vec![Statement::Constructor { callable: new, arguments: smallvec![] }],
            &cluster,
            Err(Defect::Arguments),
        );
        let itself = |method: usize| {
            let mut answers = vec![Answers::new(); 3];
            answers[method].push(Answer::Itself);
            Statement::Stub { stub: chain, script: Box::new(Script { arguments: smallvec![], answers }) }
        };
        check(vec![itself(0)], &cluster, Ok(()));
        check(vec![itself(1)], &cluster, Err(Defect::Answers));
        check(vec![itself(2)], &cluster, Err(Defect::Type));
        check(vec![array(), int(), write(1, 1)], &cluster, Ok(()));
        check(vec![array(), int(), write(2, 1)], &cluster, Err(Defect::Index));
        check(vec![array(), text(), write(0, 1)], &cluster, Err(Defect::Type));
    }
}
