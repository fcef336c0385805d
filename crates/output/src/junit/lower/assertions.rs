//! What is expected, as calls of JUnit's assertions whose overloads `javac` resolves as meant.

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::identifier::is_identifier;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::assertion::{Assertion, ObservationTarget, ObservedValue, SIZED, StandardStream};
use testcase::cluster::{CallableId, TypeId};
use testcase::jdk_values::{self, FromText};
use testcase::value::{JavaString, Value};

use super::body::Body;
use super::containers::call;
use super::elements::on;
use super::{Unprintable, is_reifiable};
use crate::junit::ast::{Expr, Receiver};
use crate::junit::literals::{Context, literal};
use crate::junit::streams;

/// Digits up to which a floating-point number is compared exactly. Numbers with more come from computations whose
/// last digits may differ between processors and releases of the JDK.
const EXACT_DIGITS: usize = 9;
/// Digits that a tolerance leaves of a number.
const COMPARED_DIGITS: i32 = 12;

/// What holds text that code wrote into it, `println` among it.
const WRITTEN: [&str; 3] =
    ["java/io/StringWriter", "java/io/CharArrayWriter", "java/io/ByteArrayOutputStream"];

impl Body<'_> {
    /// An assertion; `None` when Java cannot say it.
    pub(super) fn assertion(&mut self, assertion: &Assertion) -> Result<Option<Expr>, Unprintable> {
        match assertion.target {
            ObservationTarget::Value(variable) => {
                let actual = self.operand(variable, Context::Argument)?;
                let of = self.variable_type(variable);
                Ok(self.equality(actual, &of, &assertion.expected))
            }
            ObservationTarget::Inspector(variable, inspector) => {
                let object = self.operand(variable, Context::Argument)?;
                let on = self.variable_type(variable);
                let actual = self.method_on(inspector, object, &on, &[], true)?;
                if let (true, Some(text)) = (self.is_any(&on, &WRITTEN), text_of(&assertion.expected)) {
                    return Ok(Some(written_equality(actual, text)));
                }
                let cluster = self.context.cluster;
                let of = cluster.callable(inspector).result.unwrap_or(TypeId::OBJECT);
                Ok(self.equality(actual, &cluster.ty(of).generic, &assertion.expected))
            }
            ObservationTarget::Nested(variable, outer, inner) => {
                let object = self.operand(variable, Context::Argument)?;
                let on = self.variable_type(variable);
                let cluster = self.context.cluster;
                let type_of = |getter: CallableId| {
                    cluster.ty(cluster.callable(getter).result.unwrap_or(TypeId::OBJECT)).generic.clone()
                };
                let Some(mut held) = self.held(outer, object, &on)? else { return Ok(None) };
                let mut on = type_of(outer);
                if let Some(getter) = cluster.element_of_result(outer) {
                    let Some(element) = self.held(getter, held, &on)? else { return Ok(None) };
                    (held, on) = (element, type_of(getter));
                }
                let actual = self.method_on(inner, held, &on, &[], true)?;
                let of = cluster.callable(inner).result.unwrap_or(TypeId::OBJECT);
                Ok(self.equality(actual, &cluster.ty(of).generic, &assertion.expected))
            }
            ObservationTarget::Field(variable, field) => {
                let actual = self.field(field, Some(variable), false)?;
                let cluster = self.context.cluster;
                let of = cluster.field(field).of;
                Ok(self.equality(actual, &cluster.ty(of).generic, &assertion.expected))
            }
            ObservationTarget::Calls(stub, _) => Ok(self.calls_equality(stub, &assertion.expected)),
            ObservationTarget::Elements(variable, sequence) => {
                self.elements_equality(variable, sequence, &assertion.expected)
            }
            ObservationTarget::Printed(stream) => Ok(printed_equality(stream, &assertion.expected)),
            // Several statements say it.
            ObservationTarget::Files => Ok(None),
            ObservationTarget::Message => Ok(self.of_exception("getMessage", &assertion.expected)),
            ObservationTarget::Cause => Ok(self.of_exception("getCause", &assertion.expected)),
            ObservationTarget::Same(one, other) => {
                let actual = self.operand(one, Context::Argument)?;
                let expected = self.operand(other, Context::Argument)?;
                let ObservedValue::Primitive(Value::Boolean(same)) = assertion.expected else {
                    return Ok(None);
                };
                let name = if same { "assertSame" } else { "assertNotSame" };
                Ok(Some(Expr::assertion(name, vec![expected, actual])))
            }
        }
    }

    /// What a method gives that is called on an object of this type: one without parameters, or one that takes an index, which is 0; `None`
    /// where Java could not tell which method that is.
    fn held(
        &mut self,
        getter: CallableId,
        object: Expr,
        on: &GenericType,
    ) -> Result<Option<Expr>, Unprintable> {
        let callable = self.context.cluster.callable(getter);
        if callable.parameters.is_empty() {
            return self.method_on(getter, object, on, &[], true).map(Some);
        }
        let is_owner = self.context.cluster.ty(callable.owner).generic == *on;
        Ok(is_owner.then(|| object.call_with(&callable.name, vec![Expr::Literal("0".to_owned())])))
    }

    /// That a getter of the exception which the test expects gives a text, or an object of a class.
    fn of_exception(&mut self, getter: &str, expected: &ObservedValue) -> Option<Expr> {
        let shown = Expr::call_on(Expr::Variable(self.exception.clone()?), getter);
        let is_class = matches!(expected, ObservedValue::Class(_));
        let actual = if is_class { Expr::call_on(shown, "getClass") } else { shown };
        let of = if is_class { GenericType::object() } else { GenericType::class(ClassName::string()) };
        self.equality(actual, &of, expected)
    }

    /// That an expression of static type `of` has the expected value.
    pub(super) fn equality(
        &mut self,
        actual: Expr,
        of: &GenericType,
        expected: &ObservedValue,
    ) -> Option<Expr> {
        let call = |name: &str, arguments| Some(Expr::assertion(name, arguments));
        match expected {
            ObservedValue::Null => call("assertNull", vec![actual]),
            ObservedValue::Primitive(value) => Some(self.value_equality(actual, value)),
            ObservedValue::Boxed(value) => self.boxed_equality(actual, of, value),
            ObservedValue::EnumConstant(..) | ObservedValue::Class(_) => {
                let expected = self.expected(expected, of)?;
                call("assertEquals", vec![expected, actual])
            }
            ObservedValue::Array(elements) => self.array_equality(actual, of, elements),
            ObservedValue::Container(container, held) => {
                Some(self.container_equality(actual, of, *container, held))
            }
            ObservedValue::Text { text, .. } if self.is_any(of, &WRITTEN) => {
                Some(written_equality(Expr::call_on(actual, "toString"), text))
            }
            ObservedValue::Text { text, .. } => {
                let text = literal(&Value::String(text.clone()), Context::Argument);
                let made = of.as_class().and_then(|class| from_text(&class.name, text.clone()));
                let (expected, actual) = match made {
                    Some(made) => (made, actual),
                    None => (text, Expr::call_on(actual, "toString")),
                };
                call("assertEquals", vec![expected, actual])
            }
            ObservedValue::Beginning(text) if *of == GenericType::class(ClassName::string()) => {
                Some(begins(actual, text))
            }
            ObservedValue::Beginning(text) => Some(begins(Expr::call_on(actual, "toString"), text)),
            ObservedValue::Calls(_) | ObservedValue::Files(_) => None,
            ObservedValue::Object { size, .. } => Some(self.size_equality(actual, of, *size)),
        }
    }

    fn value_equality(&self, actual: Expr, value: &Value) -> Expr {
        if let Value::Boolean(flag) = value {
            return Expr::assertion(if *flag { "assertTrue" } else { "assertFalse" }, vec![actual]);
        }
        // A constant of type `int` widens to whatever overload the other argument asks for.
        let mut arguments = vec![literal(value, Context::Assignment), actual];
        arguments.extend(self.tolerance(value));
        Expr::assertion("assertEquals", arguments)
    }

    /// The tolerance of a comparison of floating-point numbers; `None` where the comparison needs none.
    fn tolerance(&self, value: &Value) -> Option<Expr> {
        let (number, suffix, shortest) = match value {
            Value::Float(number) => (f64::from(*number), "F", format!("{number:e}")),
            Value::Double(number) => (*number, "", format!("{number:e}")),
            Value::Boolean(_)
            | Value::Byte(_)
            | Value::Short(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Long(_)
            | Value::String(_) => return None,
        };
        let digits = significant_digits(&shortest);
        let is_float = suffix == "F";
        if !number.is_finite() || is_float || digits <= EXACT_DIGITS {
            let exact = self.context.style.compares_exactly();
            return (!exact).then(|| Expr::Literal(format!("0.0{suffix}")));
        }
        let magnitude = number.abs().log10().floor() as i32;
        Some(Expr::Literal(format!("1.0E{}", magnitude - COMPARED_DIGITS)))
    }

    /// Boxed values: with a static type that boxes as well, some overloads of JUnit are ambiguous.
    fn boxed_equality(&self, actual: Expr, of: &GenericType, value: &Value) -> Option<Expr> {
        let primitive = value.primitive_type()?;
        let own = of.as_class().is_some_and(|class| class.name == primitive.boxed());
        if own {
            let unboxed = if primitive == PrimitiveType::Boolean {
                actual // only one overload takes it
            } else {
                Expr::call_on(actual, &format!("{}Value", primitive.keyword()))
            };
            return Some(self.value_equality(unboxed, value));
        }
        Some(Expr::assertion("assertEquals", vec![literal(value, Context::Argument), actual]))
    }

    fn array_equality(&mut self, actual: Expr, of: &GenericType, elements: &[ObservedValue]) -> Option<Expr> {
        let GenericType::Array(element) = of else {
            return None; // a cast would be needed, to a type that the values do not always tell
        };
        let length = Expr::Field { object: Box::new(actual.clone()), name: "length".to_owned() };
        let count = Expr::Literal(elements.len().to_string());
        if elements.is_empty() {
            return Some(Expr::assertion("assertEquals", vec![count, length]));
        }
        let Some(values) = elements.iter().map(|value| self.expected(value, element)).collect() else {
            return Some(Expr::assertion("assertEquals", vec![count, length]));
        };
        let expected = Expr::ArrayLiteral { of: Some(self.array_type(element).array_of()), elements: values };
        let mut arguments = vec![expected, actual];
        if !self.context.style.compares_exactly() {
            let tolerances = [(PrimitiveType::Float, "0.0F"), (PrimitiveType::Double, "0.0")];
            let tolerance = tolerances.into_iter().find(|(of, _)| **element == GenericType::Primitive(*of));
            arguments.extend(tolerance.map(|(_, text)| Expr::Literal(text.to_owned())));
        }
        Some(Expr::assertion("assertArrayEquals", arguments))
    }

    /// Type of the elements of an expected array: any will do for references, so one that can be made.
    fn array_type(&self, element: &GenericType) -> GenericType {
        if is_reifiable(element)
            && self.context.view.can_name_type(element)
            && !self.context.view.is_raw(element)
        {
            element.clone()
        } else {
            GenericType::object()
        }
    }

    /// An expected value as an expression, an element of an array of `of` or an argument of its own.
    pub(super) fn expected(&self, value: &ObservedValue, of: &GenericType) -> Option<Expr> {
        match value {
            ObservedValue::Null => Some(Expr::null()),
            ObservedValue::Primitive(value) => Some(literal(value, Context::Assignment)),
            ObservedValue::Boxed(value) => {
                let own = value.primitive_type().map(PrimitiveType::boxed);
                let same = of.as_class().is_some_and(|class| Some(&class.name) == own.as_ref());
                Some(literal(value, if same { Context::Assignment } else { Context::Argument }))
            }
            ObservedValue::EnumConstant(class, name) => (self.context.view.can_name(class)
                && is_identifier(name))
            .then(|| Expr::Constant { class: class.clone(), name: name.clone() }),
            ObservedValue::Class(name) => {
                let of = named_type(name)?;
                self.context.view.can_name_type(&of).then_some(Expr::ClassLiteral(of))
            }
            ObservedValue::Array(elements) => {
                let GenericType::Array(element) = of else {
                    return None;
                };
                let elements: Option<Vec<Expr>> =
                    elements.iter().map(|value| self.expected(value, element)).collect();
                Some(Expr::ArrayLiteral {
                    of: Some(self.array_type(element).array_of()),
                    elements: elements?,
                })
            }
            ObservedValue::Container(container, held) => self.container(*container, held),
            ObservedValue::Text { .. }
            | ObservedValue::Beginning(_)
            | ObservedValue::Calls(_)
            | ObservedValue::Files(_)
            | ObservedValue::Object { .. } => None,
        }
    }

    /// The size of an array, collection, map or text; of other objects only that there is one.
    pub(super) fn size_equality(&self, actual: Expr, of: &GenericType, size: Option<u32>) -> Expr {
        let Some(size) = size else { return Expr::assertion("assertNotNull", vec![actual]) };
        let is_array = matches!(of, GenericType::Array(_));
        let is_container = !is_array && self.is_any(of, &SIZED);
        let length = if is_array {
            Expr::Field { object: Box::new(actual), name: "length".to_owned() }
        } else if is_container && size == 0 {
            return Expr::assertion("assertTrue", vec![Expr::call_on(actual, "isEmpty")]);
        } else if is_container {
            Expr::call_on(actual, "size")
        } else if self.is_any(of, &["java/lang/String"]) {
            Expr::call_on(actual, "length")
        } else {
            return Expr::assertion("assertNotNull", vec![actual]);
        };
        Expr::assertion("assertEquals", vec![Expr::Literal(size.to_string()), length])
    }
}

/// The value of a class that this text makes; `None` where none does.
fn from_text(class: &ClassName, text: Expr) -> Option<Expr> {
    match jdk_values::from_text(class)? {
        FromText::Constructor => {
            Some(Expr::New { outer: None, class: class.clone(), diamond: false, arguments: vec![text] })
        }
        FromText::Factory(name) => Some(Expr::Call {
            receiver: Receiver::Class(class.clone()),
            type_arguments: Vec::new(),
            name: name.to_owned(),
            arguments: vec![text],
        }),
        FromText::Nothing => None,
    }
}

fn text_of(expected: &ObservedValue) -> Option<&JavaString> {
    if let ObservedValue::Primitive(Value::String(text)) = expected { Some(text) } else { None }
}

/// That a test printed a text, whatever ends lines on the machine that it runs on.
fn printed_equality(stream: StandardStream, expected: &ObservedValue) -> Option<Expr> {
    let printed = Expr::call_on(Expr::Variable(streams::printed(stream).to_owned()), "toString");
    if let ObservedValue::Object { size: Some(size), .. } = expected {
        let length = Expr::call_on(with_line_feeds(printed), "length");
        return Some(Expr::assertion("assertEquals", vec![Expr::Literal(size.to_string()), length]));
    }
    if let ObservedValue::Beginning(text) = expected {
        return Some(begins(with_line_feeds(printed), text));
    }
    Some(written_equality(printed, text_of(expected)?))
}

/// That a text begins as in each run.
fn begins(actual: Expr, text: &JavaString) -> Expr {
    let expected = literal(&Value::String(text.clone()), Context::Argument);
    let begins = Expr::Call {
        receiver: Receiver::Object(Box::new(actual)),
        type_arguments: Vec::new(),
        name: "startsWith".to_owned(),
        arguments: vec![expected],
    };
    Expr::assertion("assertTrue", vec![begins])
}

/// A text whose lines end as on every machine.
fn with_line_feeds(written: Expr) -> Expr {
    let separator = call("java/lang/System", "lineSeparator", Vec::new());
    on(written, "replace", vec![separator, Expr::Text("\n".into())])
}

/// That something written is this text, whatever ends lines on the machine that it was written on.
pub(super) fn written_equality(written: Expr, text: &JavaString) -> Expr {
    let actual = if text.units().contains(&u16::from(b'\n')) { with_line_feeds(written) } else { written };
    Expr::assertion("assertEquals", vec![Expr::Text(text.clone()), actual])
}

/// Significant decimal digits of a number in scientific notation.
fn significant_digits(scientific: &str) -> usize {
    let mantissa = scientific.split('e').next().unwrap_or("");
    mantissa.chars().filter(char::is_ascii_digit).count()
}

/// The type that `Class.getName` names: `int`, `[Ljava.lang.String;`, `java.util.Map$Entry`.
pub(super) fn named_type(name: &str) -> Option<GenericType> {
    if let Some(primitive) = PrimitiveType::ALL.into_iter().find(|of| of.keyword() == name) {
        return Some(GenericType::Primitive(primitive));
    }
    if name.starts_with('[') {
        return ErasedType::parse(&name.replace('.', "/")).ok().map(|of| GenericType::from(&of));
    }
    (name != "void" && !name.is_empty()).then(|| GenericType::class(ClassName::from_binary(name)))
}
