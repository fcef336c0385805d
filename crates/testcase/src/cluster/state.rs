//! What can be seen of the state of an object.

use std::cmp::Reverse;

use bytecode::identifier::words;
use bytecode::signature::ClassType;

use super::{CallableId, TestCluster, TypeId};
use crate::assertion::ObservationTarget;
use crate::kill_oracle::in_turn;
use crate::statement::VarRef;
use crate::test_case::TestCase;

/// Classes whose objects are texts under way.
const TEXTS: [&str; 5] = [
    "java/io/ByteArrayOutputStream",
    "java/io/CharArrayWriter",
    "java/io/StringWriter",
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
];

/// Words that names of all kinds of members begin with.
const VERBS: [&str; 8] = ["add", "get", "has", "is", "put", "remove", "set", "to"];

/// The words of the name of a member that tell what it is about.
fn telling_words(name: &str) -> impl Iterator<Item = &str> {
    words(name).filter(|word| !VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(word)))
}

/// Whether two words are the same, but for capitals and a plural.
fn is_same_word(one: &str, other: &str) -> bool {
    let singular = |word: &str| word.len() - usize::from(word.len() > 1 && word.ends_with(['s', 'S']));
    one[..singular(one)].eq_ignore_ascii_case(&other[..singular(other)])
}

impl TestCluster {
    /// What can be seen of the state of a variable of this type: what it holds, where that is its state, what inspectors worth asking tell,
    /// public fields, and, for who looks further, what the objects that inspectors give tell of themselves.
    pub fn state(&self, variable: VarRef, of: TypeId, further: bool) -> Vec<ObservationTarget> {
        let inspectors = self.telling_inspectors(of).into_iter();
        let fields = self.public_fields(of).iter();
        let content = self.has_size(of).then_some(ObservationTarget::Value(variable));
        let inspectors = inspectors.map(|inspector| ObservationTarget::Inspector(variable, inspector));
        let mut state: Vec<ObservationTarget> = content
            .into_iter()
            .chain(inspectors)
            .chain(fields.map(|&field| ObservationTarget::Field(variable, field)))
            .collect();
        if further {
            state.extend(self.nested(variable, of));
        }
        state
    }

    /// Brings those to the front that tell most of what a method did, where more can be seen than is asked: `isGammaSet` tells most of
    /// `unsetGamma`, and `getScope` of code that calls `setScope`.
    pub fn sort_by_relevance(&self, state: &mut [ObservationTarget], called: Option<CallableId>) {
        let called = called.map_or("", |called| &*self.callable(called).name);
        // What an object holds is all that there is of it.
        let is_content = |target: ObservationTarget| matches!(target, ObservationTarget::Value(_));
        let key =
            |target| (is_content(target), self.words_shared(target, called), self.tells_of_change(target));
        state.sort_by_cached_key(|&target| Reverse(key(target)));
    }

    /// Whether a target tells of what the code under test sets.
    fn tells_of_change(&self, target: ObservationTarget) -> bool {
        let (ObservationTarget::Inspector(_, inspector) | ObservationTarget::Nested(_, _, inspector)) =
            target
        else {
            return false;
        };
        self.tells_of_changes.binary_search(&inspector).is_ok()
    }

    /// How many words of the name of a method the names have of what a target asks.
    pub fn words_shared(&self, target: ObservationTarget, called: &str) -> usize {
        let of_callable = |id: CallableId| &*self.callable(id).name;
        let [outer, name] = if let ObservationTarget::Nested(_, outer, inner) = target {
            [outer, inner].map(of_callable)
        } else {
            ["", self.member_of_state(target).map_or("", |(_, name)| name)]
        };
        let has = |word: &str| [outer, name].into_iter().flat_map(words).any(|own| is_same_word(own, word));
        telling_words(called).filter(|word| has(word)).count()
    }

    /// What objects that inspectors of a variable give tell of themselves, and an element of what it holds: first one thing of each, then another. Nothing of what
    /// is of the variable's own type, and of generic types, since what such a call gives must have the declared type
    /// wherever it stands.
    fn nested(&self, variable: VarRef, of: TypeId) -> Vec<ObservationTarget> {
        let tells = |outer: CallableId| {
            let giver = self.element_of_result(outer).unwrap_or(outer);
            let held = self.callable(giver).result.filter(|&held| held != of && self.is_plain(held))?;
            let inner = self.telling_inspectors(held).into_iter();
            Some(inner.map(|inner| ObservationTarget::Nested(variable, outer, inner)).collect())
        };
        let outer = self.element_getter(of).into_iter().chain(self.telling_inspectors(of));
        let told: Vec<Vec<ObservationTarget>> = outer.filter_map(tells).collect();
        in_turn(&told).collect()
    }

    /// Whether a type is a class without type arguments of the class path, none that is known as a value.
    fn is_plain(&self, of: TypeId) -> bool {
        let ty = self.ty(of);
        let is_class = |class: &ClassType| {
            class.arguments.is_empty() && class.outer.is_none() && !class.name.is_platform()
        };
        of.index() >= TypeId::WELL_KNOWN
            && ty.enum_constants.is_empty()
            && ty.generic.as_class().is_some_and(is_class)
    }

    /// The object of which a target reads a part of the state, and the name of the member that tells it; `None` for
    /// targets that are no state.
    pub fn member_of_state(&self, target: ObservationTarget) -> Option<(VarRef, &str)> {
        match target {
            ObservationTarget::Inspector(object, inspector) => Some((object, &self.callable(inspector).name)),
            ObservationTarget::Field(object, field) => Some((object, &self.field(field).name)),
            ObservationTarget::Value(_)
            | ObservationTarget::Nested(..)
            | ObservationTarget::Same(..)
            | ObservationTarget::Calls(..)
            | ObservationTarget::Elements(..)
            | ObservationTarget::Printed(_)
            | ObservationTarget::Files
            | ObservationTarget::Message
            | ObservationTarget::Cause => None,
        }
    }

    /// Whether an assertion of what is read there can ask for a size or length: where the declared type has one, and of a printed text.
    pub fn shows_size(&self, test: &TestCase, target: ObservationTarget) -> bool {
        let has_size = |of: TypeId| of == TypeId::STRING || self.has_size(of);
        matches!(target, ObservationTarget::Printed(_))
            || self.type_of_target(test, target).is_some_and(has_size)
    }

    /// The declared type of what is read there; `None` where that is nothing that the test declares.
    pub fn type_of_target(&self, test: &TestCase, target: ObservationTarget) -> Option<TypeId> {
        match target {
            ObservationTarget::Value(variable) | ObservationTarget::Elements(variable, _) => {
                test.variable_type(self, variable)
            }
            ObservationTarget::Inspector(_, inspector) | ObservationTarget::Nested(_, _, inspector) => {
                self.callable(inspector).result
            }
            ObservationTarget::Field(_, field) => Some(self.field(field).of),
            ObservationTarget::Same(..)
            | ObservationTarget::Calls(..)
            | ObservationTarget::Printed(_)
            | ObservationTarget::Files
            | ObservationTarget::Message
            | ObservationTarget::Cause => None,
        }
    }

    /// Inspectors of a type that are worth asking, one per name: none that throws checked exceptions, not what every object
    /// inherits, and no hash codes. The text comes first of what is nothing but a text.
    pub fn telling_inspectors(&self, id: TypeId) -> Vec<CallableId> {
        let mut found: Vec<CallableId> = Vec::new();
        for &id in self.inspectors(id) {
            let is_listed = found.iter().any(|&known| self.callable(known).name == self.callable(id).name);
            if self.is_telling(id) && !is_listed {
                found.push(id);
            }
        }
        if self.ty(id).generic.as_class().is_some_and(|class| TEXTS.contains(&class.name.as_str())) {
            found.sort_by_key(|&inspector| &*self.callable(inspector).name != "toString");
        }
        found
    }

    /// Whether values of a type can be asked for something that is worth asking, and is a value itself.
    pub fn tells(&self, of: TypeId) -> bool {
        let gives_value = |id| !self.callable(id).result.is_some_and(|held| self.is_plain(held));
        self.inspectors(of).iter().any(|&id| self.is_telling(id) && gives_value(id))
    }

    fn is_telling(&self, inspector: CallableId) -> bool {
        let inspector = self.callable(inspector);
        let is_inherited = inspector.declared_in.as_str() == "java/lang/Object";
        !is_inherited && inspector.exceptions.is_empty() && &*inspector.name != "hashCode"
    }
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use bytecode::signature::{GenericType, TypeArgument};

    use super::*;
    use crate::cluster::testing::ClusterBuilder;

    #[test]
    fn objects_that_an_object_has_are_asked_one_thing_of_each_first() {
        let mut builder = ClusterBuilder::new("p/Order");
        let [order, person] = ["p/Order", "p/Person"].map(|name| builder.class(name));
        let text = GenericType::Class(ClassType::new("java/lang/String".into()));
        let mut boxed = ClassType::new("p/Box".into());
        boxed.arguments = vec![TypeArgument::Exact(text)];
        let boxed = builder.ty(GenericType::Class(boxed));
        let mut listed = |of: TypeId, name: &str, result: TypeId| {
            let id = builder.method(of, name, &[], Some(result));
            builder.inspector(of, id);
            id
        };
        let [seller, buyer] = ["seller", "buyer"].map(|name| listed(order, name, person));
        for (of, name, result) in [
            (order, "next", order),
            (order, "note", TypeId::STRING),
            (order, "box", boxed),
            (boxed, "size", TypeId::primitive(PrimitiveType::Int)),
        ] {
            listed(of, name, result);
        }
        let name = listed(person, "name", TypeId::STRING);
        let age = listed(person, "age", TypeId::primitive(PrimitiveType::Int));
        let cluster = builder.build();
        let expect = [(seller, name), (buyer, name), (seller, age), (buyer, age)]
            .map(|(outer, inner)| ObservationTarget::Nested(VarRef(0), outer, inner));
        assert_eq!(cluster.nested(VarRef(0), order), expect);
        assert!(cluster.state(VarRef(0), order, true).ends_with(&expect), "the object itself is asked first");
    }

    #[test]
    fn what_has_words_of_the_name_of_what_was_called_is_asked_first() {
        let mut builder = ClusterBuilder::new("p/Order");
        let of = builder.class("p/Order");
        for name in ["getName", "isSet", "isGammaSet", "getBackgroundRGB", "getRGBChunks"] {
            let inspector = builder.method(of, name, &[], Some(TypeId::STRING));
            builder.inspector(of, inspector);
        }
        let mut cases = Vec::new();
        for (called, expect) in [
            ("get", ["getName", "isSet"]),
            ("setName", ["getName", "isSet"]),
            ("unsetGamma", ["isGammaSet", "getName"]),
            ("setBackgroundRGB", ["getBackgroundRGB", "getRGBChunks"]),
            ("removeChunk", ["getRGBChunks", "getName"]),
        ] {
            cases.push((builder.method(of, called, &[], None), expect));
        }
        let mut cluster = builder.build();
        let first_two = |cluster: &TestCluster, called| {
            let mut told = cluster.state(VarRef(0), of, true);
            cluster.sort_by_relevance(&mut told, called);
            let names = told.iter().filter_map(|target| Some(cluster.member_of_state(*target)?.1.to_owned()));
            names.take(2).collect::<Vec<_>>()
        };
        for (called, expect) in &cases {
            assert_eq!(first_two(&cluster, Some(*called)), expect, "{}", cluster.callable(*called).name);
        }
        // What the code sets comes behind that, and before all else.
        cluster.tells_of_changes = cluster.callables_that(|callable| &*callable.name == "getBackgroundRGB");
        assert_eq!(first_two(&cluster, None), ["getBackgroundRGB", "getName"]);
        assert_eq!(first_two(&cluster, Some(cases[2].0)), ["isGammaSet", "getBackgroundRGB"]);
    }

    #[test]
    fn what_is_nothing_but_a_text_tells_that_first() {
        for (name, expect) in
            [("java/lang/StringBuilder", ["toString", "length"]), ("p/Text", ["length", "toString"])]
        {
            let mut builder = ClusterBuilder::new("p/Order");
            let of = builder.class(name);
            for (name, result) in
                [("length", TypeId::primitive(PrimitiveType::Int)), ("toString", TypeId::STRING)]
            {
                let inspector = builder.method(of, name, &[], Some(result));
                builder.inspector(of, inspector);
            }
            let cluster = builder.build();
            let told =
                cluster.telling_inspectors(of).into_iter().map(|id| cluster.callable(id).name.to_string());
            assert_eq!(told.collect::<Vec<_>>(), expect, "{name}");
        }
    }
}
