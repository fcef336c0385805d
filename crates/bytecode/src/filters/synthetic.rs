//! Synthetic methods, apart from the bodies of lambda expressions.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let is_lambda =
        code.name.starts_with("lambda$") || context.is_scala && code.name.starts_with("$anonfun$");
    if code.access.is_synthetic() && !is_lambda {
        filtered.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    #[test]
    fn bodies_of_lambda_expressions_are_kept() {
        let check = |name: &str, expect: usize| {
            assert_eq!(
                what_counts(&format!(".method static synthetic {name} ()V\nreturn")).0.len(),
                expect,
                "{name}"
            );
        };
        check("access$000", 0);
        check("lambda$run$0", 1);
        check("$anonfun$run$1", 0);
    }
}
