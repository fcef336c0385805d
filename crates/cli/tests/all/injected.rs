//! Classes whose container fills private fields, end to end: tests do so as well.

use crate::support::generated;

const SHOP: &str = r#"
//- /p/Shop.java
package p;

import org.springframework.beans.factory.annotation.*;

public class Shop {
    @Autowired private Stock stock;
    @Value("${shop.limit}") private int limit;

    public String sell(String name) {
        int left = stock.left(name);
        if (left == 0) { return "none"; }
        return left > limit ? "many" : "few";
    }
}
//- /p/Stock.java
package p;

public interface Stock { int left(String name); }
//- /org/springframework/beans/factory/annotation/Autowired.java
package org.springframework.beans.factory.annotation;

import java.lang.annotation.*;

@Retention(RetentionPolicy.RUNTIME)
public @interface Autowired { }
//- /org/springframework/beans/factory/annotation/Value.java
package org.springframework.beans.factory.annotation;

import java.lang.annotation.*;

@Retention(RetentionPolicy.RUNTIME)
public @interface Value { String value(); }
"#;

/// What stands for the class of Spring's tests.
const UTILS: &str = "
//- /org/springframework/test/util/ReflectionTestUtils.java
package org.springframework.test.util;

public class ReflectionTestUtils {
    public static void setField(Object target, String name, Object value) {
        try {
            java.lang.reflect.Field field = target.getClass().getDeclaredField(name);
            field.setAccessible(true);
            field.set(target, value);
        } catch (ReflectiveOperationException thrown) {
            throw new IllegalStateException(thrown);
        }
    }
}
";

#[test]
fn what_a_container_fills_is_filled_by_the_test_as_the_project_does_it() {
    let with_utils = format!("{SHOP}{UTILS}");
    for (sources, junit, lines) in [
        (SHOP, "5", &["inject(Shop.class, shop, \"stock\", ", "void inject(Class<?> declaring, "][..]),
        (SHOP, "4", &["inject(Shop.class, shop, \"stock\", ", "import java.lang.reflect.Field;"]),
        (&with_utils, "5", &["ReflectionTestUtils.setField(shop, \"limit\", "]),
    ] {
        let compiled = fixture::compile(sources);
        let words = ["--class", "p.Shop", "--criterion", "branch,line,weak-mutation", "--junit", junit];
        let (report, file) = generated(&compiled, &[&words[..], &["--budget", "4000executions"]].concat());
        let open = report.open_goals.iter().filter(|open| open.criterion == "branch");
        let open: Vec<&str> = open.map(|open| open.goal.as_str()).collect();
        assert!(open.is_empty(), "{open:?}\n{file}");
        for line in lines {
            assert!(file.contains(line), "{line}: {file}");
        }
        assert_eq!(file.contains("getDeclaredField"), sources == SHOP, "{file}");
    }
}

#[test]
fn without_the_parameter_no_private_field_is_written() {
    let compiled = fixture::compile(SHOP);
    let words = ["--class", "p.Shop", "--set", "inject=0", "--budget", "300executions"];
    let (_, file) = generated(&compiled, &words);
    assert!(!file.contains("inject("), "{file}");
}
