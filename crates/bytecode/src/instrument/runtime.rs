//! The static methods that instrumented code calls.

/// Internal name of what ends a run, a subclass of `java/lang/Error`.
pub const STOP_CLASS: &str = "covolve/runtime/Stop";

/// A class whose methods are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuntimeClass {
    /// `covolve.runtime.Probe`
    Probe,
    /// `covolve.runtime.Predicate`
    Predicate,
    /// `covolve.runtime.Flag`
    Flag,
    /// `covolve.runtime.Mutant`
    Mutant,
    /// `covolve.runtime.Record`
    Record,
    /// `covolve.runtime.Calls`
    Calls,
}

impl RuntimeClass {
    /// Number of classes.
    pub(crate) const COUNT: usize = 6;

    /// Internal name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Probe => "covolve/runtime/Probe",
            Self::Predicate => "covolve/runtime/Predicate",
            Self::Flag => "covolve/runtime/Flag",
            Self::Mutant => "covolve/runtime/Mutant",
            Self::Record => "covolve/runtime/Record",
            Self::Calls => "covolve/runtime/Calls",
        }
    }
}

/// Declares the methods with their classes and descriptors.
macro_rules! runtime_methods {
    ($($name:ident $class:ident $java:literal $descriptor:literal)*) => {
        /// A static method.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum RuntimeMethod {
            $(
                #[doc = concat!("`", stringify!($class), ".", $java, $descriptor, "`")]
                $name,
            )*
        }

        impl RuntimeMethod {
            /// All of them, in the order of their discriminants.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// Class, name and descriptor.
            pub(crate) fn signature(self) -> (RuntimeClass, &'static str, &'static str) {
                match self {
                    $(Self::$name => (RuntimeClass::$class, $java, $descriptor),)*
                }
            }
        }
    };
}

runtime_methods! {
    Entry Probe "entry" "(I)V"
    Enter Probe "enter" "(I)I"
    Block Probe "block" "(I)V"
    Step Probe "step" "()V"
    Handler Probe "handler" "()V"
    EnterInitializer Probe "enterInitializer" "()V"
    LeaveInitializer Probe "leaveInitializer" "()V"
    Exit Probe "exit" "()V"
    Calls Probe "calls" "(I)V"
    BeginCall Calls "begin" "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)I"
    SawInt Calls "saw" "(III)V"
    SawLong Calls "saw" "(JII)V"
    SawFloat Calls "saw" "(FII)V"
    SawDouble Calls "saw" "(DII)V"
    SawReference Calls "saw" "(Ljava/lang/Object;II)V"
    ThrewCall Calls "threw" "(Ljava/lang/Throwable;Ljava/lang/String;Ljava/lang/String;)V"
    Size Probe "size" "(II)V"
    Matrix Probe "matrix" "(III)V"
    Thrown Probe "thrown" "(Ljava/lang/Throwable;)V"
    SaveInt Probe "saveStatic" "(II)V"
    SaveLong Probe "saveStatic" "(JI)V"
    SaveFloat Probe "saveStatic" "(FI)V"
    SaveDouble Probe "saveStatic" "(DI)V"
    SaveReference Probe "saveStatic" "(Ljava/lang/Object;I)V"
    Ifeq Probe "ifeq" "(III)V"
    Ifne Probe "ifne" "(III)V"
    Iflt Probe "iflt" "(III)V"
    Ifge Probe "ifge" "(III)V"
    Ifgt Probe "ifgt" "(III)V"
    Ifle Probe "ifle" "(III)V"
    Ificmpeq Probe "ificmpeq" "(IIII)V"
    Ificmpne Probe "ificmpne" "(IIII)V"
    Ificmplt Probe "ificmplt" "(IIII)V"
    Ificmpge Probe "ificmpge" "(IIII)V"
    Ificmpgt Probe "ificmpgt" "(IIII)V"
    Ificmple Probe "ificmple" "(IIII)V"
    Ifacmpeq Probe "ifacmpeq" "(Ljava/lang/Object;Ljava/lang/Object;II)V"
    Ifacmpne Probe "ifacmpne" "(Ljava/lang/Object;Ljava/lang/Object;II)V"
    Ifnull Probe "ifnull" "(Ljava/lang/Object;II)V"
    Ifnonnull Probe "ifnonnull" "(Ljava/lang/Object;II)V"
    Lcmp Probe "lcmp" "(JJIII)I"
    Fcmpl Probe "fcmpl" "(FFIII)I"
    Fcmpg Probe "fcmpg" "(FFIII)I"
    Dcmpl Probe "dcmpl" "(DDIII)I"
    Dcmpg Probe "dcmpg" "(DDIII)I"
    Select Probe "select" "(IIILjava/lang/String;)V"
    SelectString Probe "select" "(IIILjava/lang/String;Ljava/lang/String;I)V"
    Text Probe "text" "(Ljava/lang/String;I)V"
    IfeqPredicate Predicate "ifeq" "(III)V"
    IfnePredicate Predicate "ifne" "(III)V"
    EqualTo Predicate "equalTo" "(Ljava/lang/Object;Ljava/lang/Object;I)V"
    EqualsIgnoreCase Predicate "equalsIgnoreCase" "(Ljava/lang/String;Ljava/lang/String;I)V"
    StartsWith Predicate "startsWith" "(Ljava/lang/String;Ljava/lang/String;I)V"
    StartsWithAt Predicate "startsWith" "(Ljava/lang/String;Ljava/lang/String;II)V"
    EndsWith Predicate "endsWith" "(Ljava/lang/String;Ljava/lang/String;I)V"
    Contains Predicate "contains" "(Ljava/lang/String;Ljava/lang/CharSequence;I)V"
    IsEmpty Predicate "isEmpty" "(Ljava/lang/String;I)V"
    Order Predicate "order" "(IIII)V"
    InstanceOf Predicate "instanceOf" "(Ljava/lang/Object;Ljava/lang/String;I)V"
    IsBlank Predicate "isBlank" "(Ljava/lang/String;I)V"
    ContentEquals Predicate "contentEquals" "(Ljava/lang/String;Ljava/lang/CharSequence;I)V"
    EnterFlags Flag "enter" "(I)V"
    Decided Flag "decided" "(III)V"
    CallFlag Flag "call" "()V"
    KeepFlag Flag "keep" "(ZII)V"
    KeepReference Flag "keep" "(Ljava/lang/Object;II)V"
    IfeqFlag Flag "ifeq" "(IIIILjava/lang/String;)V"
    IfneFlag Flag "ifne" "(IIIILjava/lang/String;)V"
    IfnullFlag Flag "ifnull" "(Ljava/lang/Object;IIILjava/lang/String;)V"
    IfnonnullFlag Flag "ifnonnull" "(Ljava/lang/Object;IIILjava/lang/String;)V"
    ReturnedFlag Flag "returned" "(ZIIILjava/lang/String;)V"
    ReturnedReference Flag "returned" "(Ljava/lang/Object;IIILjava/lang/String;)V"
    SameArrays Predicate "sameArrays" "(Ljava/lang/Object;Ljava/lang/Object;I)V"
    Matches Predicate "matches" "(Ljava/lang/String;Ljava/lang/String;I)V"
    PatternMatches Predicate "patternMatches" "(Ljava/lang/String;Ljava/lang/CharSequence;I)V"
    Matcher Predicate "matcher" "(Ljava/lang/CharSequence;)V"
    MatcherMade Predicate "matcherMade" "(Ljava/util/regex/Matcher;)V"
    MatcherMatches Predicate "matcherMatches" "(Ljava/util/regex/Matcher;II)V"
    Letter Predicate "letter" "(III)V"
    Element Predicate "element" "(Ljava/lang/Object;Ljava/lang/Object;II)V"
    Elements Predicate "elements" "(Ljava/lang/Object;Ljava/lang/Object;I)V"
    NoElements Predicate "isEmpty" "(Ljava/lang/Object;I)V"
    CompareInts Predicate "compare" "(III)V"
    CompareLongs Predicate "compare" "(JJI)V"
    CompareFloats Predicate "compare" "(FFI)V"
    CompareDoubles Predicate "compare" "(DDI)V"
    CompareNumbers Predicate "compare" "(Ljava/lang/Object;Ljava/lang/Object;I)V"
    NumberOrder Predicate "ordered" "(IIII)V"
    IndexOfText Predicate "indexOf" "(Ljava/lang/CharSequence;Ljava/lang/String;I)V"
    IndexOfTextFrom Predicate "indexOf" "(Ljava/lang/CharSequence;Ljava/lang/String;II)V"
    IndexOfCharacter Predicate "indexOf" "(Ljava/lang/String;II)V"
    IndexOfCharacterFrom Predicate "indexOf" "(Ljava/lang/String;III)V"
    Index Predicate "index" "(IIIII)V"
    RegionMatches Predicate "regionMatches" "(Ljava/lang/String;ILjava/lang/String;III)V"
    RegionMatchesIgnoreCase Predicate "regionMatches" "(Ljava/lang/String;ZILjava/lang/String;III)V"
    Omits Mutant "omits" "(III)Z"
    VariableInt Mutant "variable" "(IIIII)I"
    VariableLong Mutant "variable" "(JJIII)J"
    VariableFloat Mutant "variable" "(FFIII)F"
    VariableDouble Mutant "variable" "(DDIII)D"
    VariableReference Mutant "variable" "(Ljava/lang/Object;Ljava/lang/Object;III)Ljava/lang/Object;"
    ValueInt Mutant "value" "(IIII)I"
    ValueLong Mutant "value" "(JIII)J"
    ValueFloat Mutant "value" "(FIII)F"
    ValueDouble Mutant "value" "(DIII)D"
    ValueReference Mutant "value" "(Ljava/lang/Object;III)Ljava/lang/Object;"
    ConditionInt Mutant "condition" "(IIII)I"
    ConditionInts Mutant "condition" "(IIIII)J"
    ConditionReference Mutant "condition" "(Ljava/lang/Object;III)Ljava/lang/Object;"
    ConditionReferences Mutant "condition" "(Ljava/lang/Object;Ljava/lang/Object;III)Ljava/lang/Object;"
    FirstLong Mutant "first" "(JJIII)J"
    SecondLong Mutant "second" "(JII)J"
    FirstFloat Mutant "first" "(FFIII)F"
    SecondFloat Mutant "second" "(FII)F"
    FirstDouble Mutant "first" "(DDIII)D"
    SecondDouble Mutant "second" "(DII)D"
    DivisorInt Mutant "divisor" "(IIIII)I"
    QuotientInt Mutant "quotient" "(III)I"
    DivisorLong Mutant "divisor" "(JJIII)J"
    QuotientLong Mutant "quotient" "(JII)J"
    Iadd Mutant "iadd" "(IIIII)I"
    Isub Mutant "isub" "(IIIII)I"
    Imul Mutant "imul" "(IIIII)I"
    Ishl Mutant "ishl" "(IIIII)I"
    Ishr Mutant "ishr" "(IIIII)I"
    Iushr Mutant "iushr" "(IIIII)I"
    Iand Mutant "iand" "(IIIII)I"
    Ior Mutant "ior" "(IIIII)I"
    Ixor Mutant "ixor" "(IIIII)I"
    Ladd Mutant "ladd" "(JJIII)J"
    Lsub Mutant "lsub" "(JJIII)J"
    Lmul Mutant "lmul" "(JJIII)J"
    Lshl Mutant "lshl" "(JIIII)J"
    Lshr Mutant "lshr" "(JIIII)J"
    Lushr Mutant "lushr" "(JIIII)J"
    Land Mutant "land" "(JJIII)J"
    Lor Mutant "lor" "(JJIII)J"
    Lxor Mutant "lxor" "(JJIII)J"
    Fadd Mutant "fadd" "(FFIII)F"
    Fsub Mutant "fsub" "(FFIII)F"
    Fmul Mutant "fmul" "(FFIII)F"
    Fdiv Mutant "fdiv" "(FFIII)F"
    Frem Mutant "frem" "(FFIII)F"
    Dadd Mutant "dadd" "(DDIII)D"
    Dsub Mutant "dsub" "(DDIII)D"
    Dmul Mutant "dmul" "(DDIII)D"
    Ddiv Mutant "ddiv" "(DDIII)D"
    Drem Mutant "drem" "(DDIII)D"
    Entered Record "entered" "(I)I"
    Left Record "left" "(I)V"
    ReturnedNothing Record "returned" "(I)V"
    ReturnedInt Record "returned" "(II)V"
    ReturnedLong Record "returned" "(JI)V"
    ReturnedFloat Record "returned" "(FI)V"
    ReturnedDouble Record "returned" "(DI)V"
    ReturnedObject Record "returned" "(Ljava/lang/Object;I)V"
    ReadInt Record "read" "(II)V"
    ReadLong Record "read" "(JI)V"
    ReadFloat Record "read" "(FI)V"
    ReadDouble Record "read" "(DI)V"
    ReadObject Record "read" "(Ljava/lang/Object;I)V"
    Made Record "made" "(Ljava/lang/Object;I)V"
    Caught Record "caught" "(Ljava/lang/Object;III)V"
    DecidedInt Record "decided" "(II)V"
    DecidedInts Record "decided" "(III)V"
    DecidedNull Record "decided" "(Ljava/lang/Object;I)V"
    DecidedSame Record "decided" "(Ljava/lang/Object;Ljava/lang/Object;I)V"
}

impl RuntimeMethod {
    /// What stands for an operator on two operands that cannot fail.
    pub(crate) fn of_operator(opcode: u8) -> Option<Self> {
        use crate::opcode::*;
        Some(match opcode {
            IADD => Self::Iadd,
            ISUB => Self::Isub,
            IMUL => Self::Imul,
            ISHL => Self::Ishl,
            ISHR => Self::Ishr,
            IUSHR => Self::Iushr,
            IAND => Self::Iand,
            IOR => Self::Ior,
            IXOR => Self::Ixor,
            LADD => Self::Ladd,
            LSUB => Self::Lsub,
            LMUL => Self::Lmul,
            LSHL => Self::Lshl,
            LSHR => Self::Lshr,
            LUSHR => Self::Lushr,
            LAND => Self::Land,
            LOR => Self::Lor,
            LXOR => Self::Lxor,
            FADD => Self::Fadd,
            FSUB => Self::Fsub,
            FMUL => Self::Fmul,
            FDIV => Self::Fdiv,
            FREM => Self::Frem,
            DADD => Self::Dadd,
            DSUB => Self::Dsub,
            DMUL => Self::Dmul,
            DDIV => Self::Ddiv,
            DREM => Self::Drem,
            _ => return None,
        })
    }
}

/// The methods that instrumented code calls: class, name and descriptor, all of them public and static.
pub fn called_methods() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    RuntimeMethod::ALL.iter().map(|method| {
        let (class, name, descriptor) = method.signature();
        (class.name(), name, descriptor)
    })
}
