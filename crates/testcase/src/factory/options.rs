//! What the factory draws how often. Probabilities lie in 0.0 to 1.0.

/// Options of the test factory. Defaults are those of `EvoSuite` (its property named in brackets), which the papers
/// use unchanged, unless the field says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct FactoryOptions {
    /// Most statements of a test, at least 1 (`chromosome_length`; Panichella et al. 2018, §4.5).
    pub max_length: usize,
    /// Probability that a reference is `null` when a new one is wanted (`null_probability`).
    pub null_probability: f64,
    /// Probability that an object or array is taken from the test where it holds one that fits
    /// (`object_reuse_probability`).
    pub object_reuse: f64,
    /// As `object_reuse`, for primitive and boxed values, strings, enum constants and class literals
    /// (`primitive_reuse_probability`).
    pub primitive_reuse: f64,
    /// How deep making a value may lead to making other values (`max_recursion`).
    pub max_recursion: usize,
    /// Depth from which on the shortest way to make a value is taken. `EvoSuite` prefers constructors and static
    /// methods from depth 5 on; ours is lower because a shortest way is always known, and long ways leave no room
    /// for calls of the class under test.
    pub shortest_from: usize,
    /// Longest new array (`max_array`), but for lengths that the code names.
    pub max_array: usize,
    /// Probability that the length of a new array of a primitive type is a constant of the code. Ours: keys, blocks and headers have
    /// lengths of which every other one ends in the same exception, so that nothing leads there. 0 in `EvoSuite`.
    pub constant_lengths: f64,
    /// Probability that a new array of bytes or characters is that of a string. Ours: what is read from streams is text more often than
    /// not, and constants of the code are strings. 0 in `EvoSuite`.
    pub text_arrays: f64,
    /// Probability that a new string is a text in a format that the code has texts read in, where there is one
    /// ([`crate::formats`]), and that a mutation changes a part of such a text. Ours: of random strings hardly any is a
    /// document. 0 in `EvoSuite`.
    pub format_texts: f64,
    /// Whether the length of a new array is the smaller of two draws, and not drawn evenly. Ours: short arrays leave room
    /// for calls. `EvoSuite` draws evenly.
    pub short_arrays: bool,
    /// Probability that a new array of a primitive type gets elements. Half of them: the other half stays at the
    /// default value and costs one statement. `EvoSuite` always fills.
    pub array_fill: f64,
    /// Probability that a new collection or builder is filled at once. `EvoSuite` leaves that to later insertions,
    /// which seldom hit the object before it is used.
    pub fill: f64,
    /// Most calls by which a new object is filled, at least 1. Ours; enough to have two equal or ordered elements
    /// and one that differs.
    pub max_fill: usize,
    /// Probability that a new builder, or an object of which the code asks several things, is given all of them, one call of each name; and
    /// that a new map has something under each key that the code names.
    /// Ours: a builder that insists on four things makes nothing of three, and no branch guides there. 0 in `EvoSuite`.
    pub fill_all: f64,
    /// Whether all ways to make a value are drawn equally often, and stubs only where there is no other
    /// (`mock_if_no_generator`); then `lambda` and `derive` count for nothing. Ours is false.
    pub even_generators: bool,
    /// Probability that a functional interface is implemented by a lambda, a class by a mock if it has one, and where tests have mocks any
    /// interface that is no platform's, where there are other ways to make it.
    /// Ours: half the time something that is known to work, half the time something that does what the search wants.
    pub lambda: f64,
    /// Probability that a value is derived from another one or built, where there are other ways to make it. Ours: it takes
    /// more statements, and hardly ever decides a branch; where it does nothing else will do.
    pub derive: f64,
    /// Probability that a scripted method throws, where it may. Ours; as rare as `null`.
    pub throwing_answer: f64,
    /// Probability that a scripted method gives back a parameter that fits. Ours; identity is the function that
    /// people write first.
    pub parameter_answer: f64,
    /// Probability that a scripted method gives the stub itself, where it may and has no name that asks
    /// ([`crate::cluster::StubMethod::asks`]). Ours; what gives its own type is most often there to be called again, and a chain of
    /// calls ends at the first one that gives something else.
    pub itself_answer: f64,
    /// Probability that a scripted method calls what it is passed, where that is something to call
    /// ([`crate::cluster::callbacks`]). Ours; half, since nothing else comes into that code, and it may end before it is called.
    pub callback_answer: f64,
    /// Probability of each further answer of a scripted method. Ours: a second answer ends a loop (`hasNext`), more
    /// are seldom read.
    pub further_answer: f64,
    /// Most answers of a scripted method, at least 1.
    pub max_answers: usize,
    /// Longest random string (`string_length`).
    pub string_length: usize,
    /// Longest string that mutation makes (`max_string`).
    pub max_string: usize,
    /// Probability that a random character is one that the class under test mentions. Ours: parsers ask for exactly
    /// these.
    pub mentioned_characters: f64,
    /// Probability that a random character may lie outside printable ASCII. Ours.
    pub exotic_characters: f64,
    /// Deviation of random numbers (`max_int`).
    pub max_int: f64,
    /// Probability that a random number is a small one, of deviation `small_int`. Ours: indices, sizes and counts are
    /// small, and a gaussian of deviation 2048 almost never is.
    pub small: f64,
    /// Deviation of small random numbers. Ours; the size of the arrays and collections that tests hold.
    pub small_int: f64,
    /// Deviation of the change of a number (`max_delta`).
    pub max_delta: f64,
    /// Probability that a random value is a constant of the code (`primitive_pool` and `dynamic_pool`, which are
    /// probabilities one after the other: half of the values come from a pool, half of these from the dynamic one).
    pub static_pool: f64,
    /// Part of the constants of the code that come from what other classes of the class path run while an object of the class
    /// under test is made: the versions and formats that its superclasses insist on. Ours; 0 in `EvoSuite`.
    pub construction_pool: f64,
    /// Part of the constants of the code that come from other classes of the project than the class under test.
    pub project_pool: f64,
    /// Probability that a random value is an operand that was compared at run time (as `static_pool`). What the two leave
    /// is drawn at random; they are at most 1 together.
    pub dynamic_pool: f64,
    /// Size of the dynamic pool, by kind of value (`dynamic_pool_size`).
    pub dynamic_pool_size: usize,
    /// Probability that a draw from the dynamic pool looks for an operand of an open branch first. Above 0, operands of
    /// branches that are covered are no longer kept. Ours: with tens of thousands of tests a second a plain ring would
    /// hold nothing but the values of the last test. 0 in `EvoSuite`.
    pub open_operands: f64,
    /// Operands of one comparison that are kept as pairs, for each value of the dynamic pool; from these values are
    /// replaced. Ours.
    pub operand_pairs: usize,
    /// Longest string constant whose characters count as constants: longer ones are texts, not tokens. Ours; 0 in
    /// `EvoSuite`.
    pub token_length: usize,
    /// Probability that a mutated value is replaced by what a value in it was compared with, where there is such a
    /// comparison (`factory/replace.rs`). Ours.
    pub replace: f64,
    /// Probability that an argument is one that the call is known to ask for, where the test cluster knows some
    /// ([`crate::cluster::Parameter::hints`]). Ours; the rest leaves room for the constants of the code.
    pub hint: f64,
    /// Probability that a call that takes a key, and something beside it, gets a key that the code under test looks under and what it
    /// looks for there ([`crate::cluster::keyed`]), where there are any, that a method of a stub that is asked with a key gives that, and that
    /// a method of a stub gives, and a parameter is passed, what the code casts it to. Ours; 0 in the papers.
    pub entries: f64,
    /// Probability that a new file, or the path of one, lies in the folder that the test has to itself
    /// ([`crate::cluster::folder`]). Ours: a test that touches any other file is not delivered, and the rest leaves room for
    /// relative names, which code looks at without looking for the file. 0 leaves the folder out, as the papers do, who say
    /// nothing of files.
    pub files: f64,
    /// Probability that an insertion sets what the code under test reads of the JVM, such as a system property
    /// ([`crate::cluster::settings`]), where it reads any. Ours; 0 leaves these calls out, as the papers do, who say nothing of them.
    pub settings: f64,
    /// Probability of each field that a container fills ([`crate::cluster::injected`]) that a new object is given it at once. Ours; 0 leaves
    /// fields alone that can only be written by reflection, as the papers do, who say nothing of them.
    pub inject: f64,
    /// Probability that a number that a call makes, fills or repeats as much as it says of
    /// ([`crate::cluster::Parameter::is_size`]) is drawn from 0 to `max_array`, and only moves in small steps. Ours: a matrix
    /// with a million rows covers what one with three does, in the time of ten thousand tests. What a goal asks for is put
    /// there all the same, by `replace`. 0 in the papers.
    pub small_sizes: f64,
    /// Probability that a mutated value is drawn anew instead of shifted (`random_perturbation`).
    pub redraw: f64,
    /// Probability that a random number is an extreme one: the ends of the range, not a number, infinite. Ours; these
    /// decide branches that no gaussian reaches.
    pub extreme: f64,
    /// Probability that a changed call gets another receiver or argument rather than giving way to another call.
    /// `EvoSuite`'s `p_change_parameter` is 0.1, but there most replacements fail and fall back.
    pub change_input: f64,
    /// Probability that an insertion calls the class under test; the rest are calls on objects of the test
    /// (`insertion_uut`).
    pub test_call: f64,
    /// Whether a new call of the class under test goes before the statement that threw, so that it runs. Ours; `EvoSuite`
    /// puts it behind.
    pub calls_before_throw: bool,
    /// Probability of each further insertion of a mutation, taken to the power of its number
    /// (`p_statement_insertion`).
    pub further_insertion: f64,
    /// Probability of each kind of mutation: deleting, changing, inserting (`p_test_delete`, `p_test_change`,
    /// `p_test_insert`).
    pub each_mutation: f64,
    /// Weight of test calls without open goals, as a share of the mean weight of the others. `EvoSuite` drops them;
    /// a few keep methods alive that set up state.
    pub closed_weight: f64,
    /// Attempts to bring a random test to its length, at least 1. `EvoSuite` makes 1,000; what 100 do not do, the
    /// cluster does not allow.
    pub attempts: usize,
}

impl Default for FactoryOptions {
    fn default() -> Self {
        Self {
            max_length: 40,
            null_probability: 0.1,
            object_reuse: 0.9,
            primitive_reuse: 0.5,
            max_recursion: 10,
            shortest_from: 3,
            max_array: 10,
            constant_lengths: 0.1,
            text_arrays: 0.3,
            format_texts: 0.3,
            short_arrays: true,
            array_fill: 0.5,
            fill: 0.5,
            max_fill: 3,
            fill_all: 0.1,
            even_generators: false,
            lambda: 0.5,
            derive: 0.25,
            throwing_answer: 0.1,
            parameter_answer: 0.25,
            itself_answer: 0.5,
            callback_answer: 0.5,
            further_answer: 0.2,
            max_answers: 3,
            string_length: 20,
            max_string: 1000,
            mentioned_characters: 0.3,
            exotic_characters: 0.02,
            max_int: 2048.0,
            small: 0.5,
            small_int: 6.0,
            max_delta: 20.0,
            static_pool: 0.25,
            construction_pool: 0.2,
            project_pool: 0.5,
            dynamic_pool: 0.25,
            dynamic_pool_size: 50,
            open_operands: 0.75,
            operand_pairs: 2,
            token_length: 4,
            replace: 0.3,
            hint: 0.7,
            entries: 0.5,
            files: 0.75,
            settings: 0.05,
            inject: 0.9,
            small_sizes: 0.9,
            redraw: 0.2,
            extreme: 0.02,
            change_input: 0.5,
            test_call: 0.5,
            calls_before_throw: true,
            further_insertion: 0.5,
            each_mutation: 1.0 / 3.0,
            closed_weight: 0.05,
            attempts: 100,
        }
    }
}
