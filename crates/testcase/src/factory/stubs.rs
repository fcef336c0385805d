//! Stubs: scripts made, changed, and repaired when a variable goes.

use super::TestFactory;
use super::edit::splice;
use super::plan::Ways;
use super::satisfy::{Draft, Role};
use crate::cluster::{Generator, Stub, StubId, StubMethod, TypeId};
use crate::random::Random;
use crate::statement::{Answer, Answers, Arguments, MOST_PASSED_BACK, Script, Statement, VarRef};
use crate::test_case::TestCase;

/// Part of the objects that hold the present moment or something random, where others can be made: little can be asserted of them.
const FLEETING: f64 = 0.05;

/// Part of the objects that are made as tests of the project make them, where these tell.
const USED: f64 = 0.5;

/// Part of the values of a type that are constants that the code reads, where it reads some: an object that is asked for
/// what it holds under one of five hundred names knows nothing under most of them.
pub(super) const READ: f64 = 0.5;

/// Part of the methods with a body that a stub of their class overrides.
const OVERRIDDEN: f64 = 0.5;

impl Draft<'_> {
    /// One of the generators of a type. A lambda is one choice among many in a library full of implementations, yet
    /// most often what is wanted, and so is a mock of what takes much to make or, where tests have mocks, of an interface; a value derived from another is seldom; other stubs are drawn
    /// like everything else.
    pub(super) fn chosen_generator(&mut self, wanted: TypeId) -> Option<Generator> {
        if self.options.even_generators {
            let generators = self.cluster.generators(wanted);
            let stubs = generators.iter().rev().take_while(|way| matches!(way, Generator::Stub(_))).count();
            let others = &generators[..generators.len() - stubs];
            return self.random.choose(if others.is_empty() { generators } else { others }).copied();
        }
        let used = self.plan.used(wanted);
        if !used.is_empty() && self.random.chance(USED) {
            return self.random.choose(used).copied();
        }
        let Ways { in_folder, derived, fleeting, read, direct } = self.plan.ways(wanted);
        if !in_folder.is_empty() && self.random.chance(self.options.files) {
            return self.random.choose(in_folder).copied();
        }
        if !derived.is_empty() && self.random.chance(self.options.derive) {
            return self.random.choose(derived).copied();
        }
        if !fleeting.is_empty() && self.random.chance(FLEETING) {
            return self.random.choose(fleeting).copied();
        }
        if !read.is_empty() && self.random.chance(READ) {
            return self.random.choose(read).copied();
        }
        let generators = if direct.is_empty() { self.cluster.generators(wanted) } else { direct };
        // Strings and numbers that implement an interface come before a lambda for it.
        let is_simple = |generator: &Generator| matches!(generator, Generator::Of(_));
        if let Some(last @ Generator::Stub(id)) = generators.last().copied()
            && generators.len() > 1
            && self.cluster.is_first_choice(id)
            && !generators.iter().any(is_simple)
            && self.random.chance(self.options.lambda)
        {
            return Some(last);
        }
        self.random.choose(generators).copied()
    }

    /// A stub with its script.
    pub(super) fn stub(&mut self, id: StubId, depth: usize) -> Option<VarRef> {
        let stub = self.cluster.stub(id);
        let arguments = match stub.constructor() {
            Some(constructor) => self.arguments(constructor, depth, None)?,
            None => Arguments::new(),
        };
        let mut answers = Vec::with_capacity(stub.methods.len());
        for method in &stub.methods {
            answers.push(self.answers(stub, method, depth)?);
        }
        self.push(Statement::Stub { stub: id, script: Box::new(Script { arguments, answers }) })
    }

    /// The answers of a method: most often one, of `void` methods most often none, of those with a body every other time none.
    fn answers(&mut self, stub: &Stub, method: &StubMethod, depth: usize) -> Option<Answers> {
        let mut answers = Answers::new();
        let called = self.call_back(method, depth);
        if called.is_none() && !self.tells(method, depth) {
            return Some(answers);
        }
        let is_thrown = method.result.is_none() && !method.has_body;
        let first = match called {
            Some(_) => called,
            None if is_thrown => self.thrown(method, depth).or(Some(Answer::Return)),
            None => self.plain_answer(stub, method, depth),
        };
        let Some(first) = first else {
            return (method.least_answers() == 0).then_some(answers);
        };
        answers.push(first);
        while answers.len() < self.options.max_answers
            && depth < self.options.shortest_from
            && self.random.chance(self.options.further_answer)
        {
            match self.answer(stub, method, depth) {
                Some(answer) => answers.push(answer),
                None => break,
            }
        }
        Some(answers)
    }

    /// Whether something is told of a method now.
    fn tells(&mut self, method: &StubMethod, depth: usize) -> bool {
        if method.has_body {
            // Deep inside, what the class does is good enough.
            return depth < self.options.shortest_from && self.random.chance(OVERRIDDEN);
        }
        method.result.is_some() || self.throws_now(method, depth)
    }

    fn throws_now(&mut self, method: &StubMethod, depth: usize) -> bool {
        depth < self.options.shortest_from
            && !method.throws.is_empty()
            && self.random.chance(self.options.throwing_answer)
    }

    fn thrown(&mut self, method: &StubMethod, depth: usize) -> Option<Answer> {
        let throws = *self.random.choose(&method.throws)?;
        self.variable(throws, Role::Receiver, depth + 1).map(Answer::Throw)
    }

    /// A new answer of a method.
    fn answer(&mut self, stub: &Stub, method: &StubMethod, depth: usize) -> Option<Answer> {
        self.call_back(method, depth).or_else(|| self.plain_answer(stub, method, depth))
    }

    /// A call of something that the method is passed, now and then.
    fn call_back(&mut self, method: &StubMethod, depth: usize) -> Option<Answer> {
        let is_likely = self.options.callback_answer > 0.0 && depth < self.options.shortest_from;
        if method.callbacks.is_empty() || !is_likely || !self.random.chance(self.options.callback_answer) {
            return None;
        }
        let number = self.random.below(method.callbacks.len());
        let called = self.cluster.callable(method.callbacks[number].callable);
        let mut passed = [None; MOST_PASSED_BACK];
        for (passed, parameter) in passed.iter_mut().zip(&called.parameters) {
            *passed = Some(self.variable(parameter.of, Role::Argument, depth + 1)?);
        }
        Some(Answer::CallBack(u8::try_from(number).ok()?, passed))
    }

    /// A new answer that calls nothing.
    fn plain_answer(&mut self, stub: &Stub, method: &StubMethod, depth: usize) -> Option<Answer> {
        if self.throws_now(method, depth)
            && let Some(thrown) = self.thrown(method, depth)
        {
            return Some(thrown);
        }
        let Some(result) = method.result else {
            return Some(Answer::Return);
        };
        if self.random.chance(self.options.parameter_answer)
            && let Some(parameter) = self.fitting_parameter(method)
        {
            return Some(parameter);
        }
        if self.options.itself_answer > 0.0
            && !method.asks()
            && self.plan.fits(result, stub.of)
            && self.random.chance(self.options.itself_answer)
        {
            return Some(Answer::Itself);
        }
        let looked_for = self
            .entry_answer(method, depth)
            .or_else(|| self.narrowed(&method.narrowed, depth).map(Answer::Value));
        if looked_for.is_some() {
            return looked_for;
        }
        match self.variable(result, Role::Argument, depth + 1) {
            Some(value) => Some(Answer::Value(value)),
            None => self.fitting_parameter(method),
        }
    }

    fn fitting_parameter(&mut self, method: &StubMethod) -> Option<Answer> {
        let fitting = fitting_parameters(method, |of, wanted| self.plan.fits(wanted, of));
        self.random.choose(&fitting).copied()
    }
}

/// The parameters that a method may give back.
fn fitting_parameters(
    method: &StubMethod,
    fits: impl Fn(TypeId, TypeId) -> bool,
) -> smallvec::SmallVec<[Answer; 4]> {
    // What a mock is passed in a variable number it does not know as an array.
    let known = method.parameters.len().saturating_sub(usize::from(method.access.is_varargs()));
    let parameters = method.parameters[..known].iter().zip(0_u8..);
    let fitting = parameters.filter(|(parameter, _)| method.result.is_some_and(|of| fits(parameter.of, of)));
    fitting.map(|(_, index)| Answer::Parameter(index)).collect()
}

impl TestFactory<'_> {
    /// Another input, other answers, or another object in its place.
    pub(super) fn change_stub(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        if random.chance(self.options.change_input) && self.change_answers(test, position, random) {
            return true;
        }
        random.chance(self.options.change_input) && self.change_input(test, position, random)
            || self.change_call(test, position, random)
    }

    /// Replaces, adds or removes an answer of one method.
    fn change_answers(&mut self, test: &mut TestCase, position: usize, random: &mut Random) -> bool {
        let Statement::Stub { stub, script } = &test.statements()[position] else {
            return false;
        };
        let stub = self.cluster.stub(*stub);
        if stub.methods.is_empty() {
            return false;
        }
        let mut script = script.clone();
        let mut draft = self.draft(test, position, random);
        let index = draft.random.below(stub.methods.len());
        let (method, answers) = (&stub.methods[index], &mut script.answers[index]);
        let least = method.least_answers();
        let changed = match draft.random.below(3) {
            0 if answers.len() > least => {
                answers.remove(draft.random.below(answers.len()));
                true
            }
            1 if answers.len() < draft.options.max_answers => match draft.answer(stub, method, 1) {
                Some(answer) => {
                    answers.insert(draft.random.below(answers.len() + 1), answer);
                    true
                }
                None => false,
            },
            _ => match draft.answer(stub, method, 1) {
                Some(answer) if answers.is_empty() => {
                    answers.push(answer);
                    answer != Answer::Return || method.has_body
                }
                Some(answer) => {
                    let place = draft.random.below(answers.len());
                    std::mem::replace(&mut answers[place], answer) != answer
                }
                None => false,
            },
        };
        if !changed {
            return false;
        }
        let inserted = self.scratch.pending.len();
        splice(test, position, &mut self.scratch.pending);
        if let Statement::Stub { script: old, .. } = &mut test.statements_mut()[position + inserted] {
            *old = script;
        }
        true
    }

    /// Binds what a script gets and answers from marked variables to others; an answer without another variable gives
    /// a parameter, or goes where it may. False when an input finds nothing.
    pub(super) fn repair_script(
        &mut self,
        test: &mut TestCase,
        position: usize,
        random: &mut Random,
    ) -> bool {
        let Statement::Stub { stub, script } = &test.statements()[position] else {
            return true;
        };
        let stub = self.cluster.stub(*stub);
        let mut repaired = script.clone();
        if let Some(constructor) = stub.constructor().map(|id| self.cluster.callable(id)) {
            for (index, argument) in repaired.arguments.iter_mut().enumerate() {
                if self.scratch.marks[argument.index()] {
                    let enclosing = index == 0 && constructor.takes_enclosing_instance;
                    let role = if enclosing { Role::Receiver } else { Role::Argument };
                    let wanted = constructor.parameters[index].of;
                    match self.unmarked(position, (wanted, role), None, random) {
                        Some(other) => *argument = other,
                        None => return false,
                    }
                }
            }
        }
        for (method, answers) in stub.methods.iter().zip(&mut repaired.answers) {
            let mut index = 0;
            while let Some(answer) = answers.get(index).copied() {
                if !answer.variables().any(|variable| self.scratch.marks[variable.index()]) {
                    index += 1;
                    continue;
                }
                let other = self.other_answer(method, answer, position, random);
                match other {
                    Some(other) => {
                        answers[index] = other;
                        index += 1;
                    }
                    None if answers.len() > method.least_answers() => {
                        answers.remove(index);
                    }
                    None => return false,
                }
            }
        }
        if let Statement::Stub { script, .. } = &mut test.statements_mut()[position] {
            *script = repaired;
        }
        true
    }

    /// An answer in the place of one whose variable goes.
    fn other_answer(
        &mut self,
        method: &StubMethod,
        answer: Answer,
        position: usize,
        random: &mut Random,
    ) -> Option<Answer> {
        match (answer, method.result) {
            (Answer::Throw(_), _) => {
                let throws = *random.choose(&method.throws)?;
                self.unmarked(position, (throws, Role::Receiver), None, random).map(Answer::Throw)
            }
            (Answer::Value(_), Some(result)) => {
                let other =
                    self.unmarked(position, (result, Role::Argument), None, random).map(Answer::Value);
                let fitting = fitting_parameters(method, |of, wanted| self.plan.fits(wanted, of));
                other.or_else(|| random.choose(&fitting).copied())
            }
            (Answer::CallBack(number, passed), _) => {
                let called = self.cluster.callable(method.callbacks[usize::from(number)].callable);
                let mut others = passed;
                for (other, parameter) in others.iter_mut().flatten().zip(&called.parameters) {
                    if self.scratch.marks[other.index()] {
                        *other = self.unmarked(position, (parameter.of, Role::Argument), None, random)?;
                    }
                }
                Some(Answer::CallBack(number, others))
            }
            (Answer::Value(_) | Answer::Parameter(_) | Answer::Itself | Answer::Return, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;
    use crate::cluster::build::Mockable;
    use crate::cluster::testing::ClusterBuilder;
    use crate::cluster::{CallableId, TestCluster};
    use crate::factory::fixtures::{INT, int};
    use crate::factory::options::FactoryOptions;

    /// `p.Foo.run(p.Step)` with `Step { int apply(int); void close(); }`.
    struct Steps {
        cluster: TestCluster,
        step: StubId,
        run: CallableId,
    }

    impl Steps {
        fn new() -> Self {
            let mut builder = ClusterBuilder::new("p/Foo");
            let foo = builder.class_under_test();
            let step = builder.class("p/Step");
            let exception = builder.class("java/lang/RuntimeException");
            builder.constructor(exception, &[TypeId::STRING]);
            let run = builder.static_method(foo, "run", &[step], None);
            let methods = [("apply", &[INT][..], Some(INT)), ("close", &[], None)];
            let step = builder.stub(step, None, &methods, &[exception]);
            Self { cluster: builder.build(), step, run }
        }

        fn stub(&self, apply: &[Answer], close: &[Answer]) -> Statement {
            let answers = vec![apply.iter().copied().collect(), close.iter().copied().collect()];
            let script = Script { arguments: smallvec![], answers };
            Statement::Stub { stub: self.step, script: Box::new(script) }
        }

        fn call(&self, stub: u16) -> Statement {
            Statement::Method { callable: self.run, receiver: None, arguments: smallvec![VarRef(stub)] }
        }
    }

    /// The scripts of so many random tests.
    fn scripts(cluster: &TestCluster, options: FactoryOptions, tests: usize) -> Vec<Script> {
        let mut factory = TestFactory::new(cluster, options);
        let mut random = Random::new(5, 0);
        let mut scripts = Vec::new();
        for _ in 0..tests {
            let test = factory.random_test(&mut random);
            assert_eq!(test.validate(cluster), Ok(()));
            let found = test.statements().iter().filter_map(|statement| match statement {
                Statement::Stub { script, .. } => Some((**script).clone()),
                _ => None,
            });
            scripts.extend(found);
        }
        scripts
    }

    #[test]
    fn scripts_have_one_answer_most_often_and_all_kinds_of_answers() {
        let (mut lengths, mut values, mut parameters, mut throws, mut closing) = ([0; 4], 0, 0, 0, 0);
        for script in scripts(&Steps::new().cluster, FactoryOptions::default(), 600) {
            let [apply, close] = script.answers.as_slice() else { panic!("two methods") };
            lengths[apply.len()] += 1;
            closing += usize::from(!close.is_empty());
            for answer in apply {
                match answer {
                    Answer::Value(_) => values += 1,
                    Answer::Parameter(_) => parameters += 1,
                    Answer::Throw(_) => throws += 1,
                    Answer::Itself | Answer::CallBack(..) | Answer::Return => {
                        panic!("the method gives a number, and takes nothing to call")
                    }
                }
            }
        }
        assert_eq!(lengths[0], 0);
        assert!(lengths[1] > 3 * (lengths[2] + lengths[3]) && lengths[2] > lengths[3], "{lengths:?}");
        assert!(lengths[3] > 0 && values > parameters && parameters > throws && throws > 0);
        assert!(closing > 0 && closing < lengths[1] / 4, "{closing} {lengths:?}");
    }

    #[test]
    fn what_gives_its_own_type_is_the_stub_itself_every_other_time_unless_it_asks() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let query = builder.class("p/Query");
        builder.static_method(foo, "run", &[query], None);
        let methods =
            [("where", &[INT][..], Some(query)), ("getOuter", &[], Some(query)), ("size", &[], Some(INT))];
        builder.stub(query, None, &methods, &[]);
        let cluster = builder.build();
        let told = |itself_answer| {
            let options = FactoryOptions { itself_answer, ..FactoryOptions::default() };
            let scripts = scripts(&cluster, options, 200);
            let itself = [0, 1, 2].map(|method| {
                scripts.iter().filter(|script| script.answers[method][0] == Answer::Itself).count()
            });
            (scripts.len(), itself)
        };
        let (all, [fluent, asked, size]) = told(0.5);
        assert!(fluent > all / 3 && fluent < all, "{fluent} of {all}");
        assert_eq!((asked, size), (0, 0));
        assert_eq!(told(0.0).1, [0, 0, 0]);
    }

    /// `p.Foo.run(p.Step)` with an interface that these methods of `p.Foo` give, and that a test may implement.
    fn made_or_implemented(methods: &[&str]) -> TestCluster {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let step = builder.class("p/Step");
        builder.static_method(foo, "run", &[step], None);
        for name in methods {
            let made = builder.static_method(foo, name, &[], Some(step));
            builder.generator(step, Generator::Callable(made));
        }
        builder.stub(step, None, &[("apply", &[INT][..], Some(INT)), ("close", &[], None)], &[]);
        builder.build()
    }

    #[test]
    fn where_all_ways_count_the_same_stubs_are_the_last() {
        let cluster = made_or_implemented(&["step"]);
        let stubs = |even_generators, shortest_from| {
            let options = FactoryOptions { shortest_from, even_generators, ..FactoryOptions::default() };
            scripts(&cluster, options, 100).len()
        };
        assert!(stubs(false, 3) > 0);
        assert_eq!(stubs(true, 3), 0);
        assert_eq!(stubs(true, 0), 0);
        // What nothing else makes is still implemented.
        let steps = Steps::new();
        let options = FactoryOptions { even_generators: true, ..FactoryOptions::default() };
        assert!(!scripts(&steps.cluster, options, 1).is_empty());
    }

    #[test]
    fn where_tests_have_mocks_one_of_an_interface_is_as_often_wanted_as_all_else() {
        let mut cluster = made_or_implemented(&["first", "second", "third", "fourth", "fifth"]);
        let few = scripts(&cluster, FactoryOptions::default(), 400).len();
        cluster.mockable = Mockable::Open;
        let many = scripts(&cluster, FactoryOptions::default(), 400).len();
        assert!(many > 2 * few, "{many} and {few}");
    }

    #[test]
    fn a_deleted_answer_gives_way_to_another_variable_or_the_parameter() {
        let steps = Steps::new();
        let mut factory = TestFactory::new(&steps.cluster, FactoryOptions::default());
        let random = &mut Random::new(1, 0);
        let value = |variable| Answer::Value(VarRef(variable));
        let mut test = TestCase::new(vec![int(1), int(2), steps.stub(&[value(1)], &[]), steps.call(2)]);
        assert!(factory.delete(&mut test, 1, random));
        assert_eq!(test.statements(), [int(1), steps.stub(&[value(0)], &[]), steps.call(1)]);
        assert!(factory.delete(&mut test, 0, random));
        assert_eq!(test.statements(), [steps.stub(&[Answer::Parameter(0)], &[]), steps.call(0)]);
    }

    #[test]
    fn a_deleted_exception_is_no_longer_thrown() {
        let steps = Steps::new();
        let mut factory = TestFactory::new(&steps.cluster, FactoryOptions::default());
        let random = &mut Random::new(1, 0);
        let text = Statement::Primitive { value: crate::value::Value::String("a".into()), boxed: false };
        let exception = steps.cluster.generators(steps.cluster.stub(steps.step).methods[0].throws[0])[0];
        let Generator::Callable(constructor) = exception else { panic!("a constructor") };
        let thrown = Statement::Constructor { callable: constructor, arguments: smallvec![VarRef(0)] };
        let throw = Answer::Throw(VarRef(1));
        let scripted = steps.stub(&[Answer::Parameter(0), throw], &[throw]);
        let mut test = TestCase::new(vec![text.clone(), thrown, scripted, steps.call(2)]);
        assert_eq!(test.validate(&steps.cluster), Ok(()));
        assert!(factory.delete(&mut test, 1, random));
        assert_eq!(test.statements(), [text, steps.stub(&[Answer::Parameter(0)], &[]), steps.call(1)]);
    }

    #[test]
    fn changes_reach_every_form_of_a_script() {
        let steps = Steps::new();
        let mut factory = TestFactory::new(&steps.cluster, FactoryOptions::default());
        let mut random = Random::new(3, 0);
        let original = TestCase::new(vec![
            int(1),
            steps.stub(&[Answer::Value(VarRef(0)), Answer::Parameter(0)], &[]),
            steps.call(1),
        ]);
        let (mut longer, mut shorter, mut closing) = (false, false, false);
        for _ in 0..400 {
            let mut test = original.clone();
            factory.change(&mut test, 1, &mut random);
            assert_eq!(test.validate(&steps.cluster), Ok(()));
            for statement in test.statements() {
                if let Statement::Stub { script, .. } = statement {
                    longer |= script.answers[0].len() == 3;
                    shorter |= script.answers[0].len() == 1;
                    closing |= !script.answers[1].is_empty();
                }
            }
        }
        assert!(longer && shorter && closing);
    }
}
