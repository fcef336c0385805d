//! Settings of the JVM that a test makes ([`testcase::cluster::settings`]), as a person writes them.

use bytecode::name::ClassName;
use bytecode::settings::Setting;
use testcase::cluster::Callable;
use testcase::statement::VarRef;

use super::Unprintable;
use super::body::Body;
use super::folders::{call, on, utf_8};
use crate::junit::ast::{Expr, Receiver};

impl Body<'_> {
    /// A call that stands for a setting.
    pub(super) fn setting_call(
        &mut self,
        setting: Setting,
        callable: &Callable,
        arguments: &[VarRef],
    ) -> Result<Expr, Unprintable> {
        let operands = self.typed_operands(callable, arguments)?;
        let of_text = |operands: Vec<Expr>| operands.into_iter().next().unwrap_or_else(Expr::null);
        Ok(match setting {
            Setting::Property => of_class("java/lang/System", "setProperty", operands),
            Setting::Input => {
                let bytes = on(of_text(operands), "getBytes", vec![utf_8()]);
                let stream = Expr::New {
                    outer: None,
                    class: "java/io/ByteArrayInputStream".into(),
                    diamond: false,
                    arguments: vec![bytes],
                };
                of_class("java/lang/System", "setIn", vec![stream])
            }
            Setting::Locale => {
                let constant = operands.first().and_then(constant_of);
                let locale =
                    constant.unwrap_or_else(|| of_class("java/util/Locale", "forLanguageTag", operands));
                of_class("java/util/Locale", "setDefault", vec![locale])
            }
            Setting::Zone => {
                let zone = of_class("java/util/TimeZone", "getTimeZone", operands);
                of_class("java/util/TimeZone", "setDefault", vec![zone])
            }
        })
    }
}

/// The constant of `java.util.Locale` for a language tag.
fn constant_of(tag: &Expr) -> Option<Expr> {
    let Expr::Text(tag) = tag else { return None };
    let name = match tag.to_string().as_str() {
        "de-DE" => "GERMANY",
        "en-US" => "US",
        "ja-JP" => "JAPAN",
        _ => return None,
    };
    Some(Expr::Constant { class: "java/util/Locale".into(), name: name.to_owned() })
}

fn of_class(class: &str, name: &str, arguments: Vec<Expr>) -> Expr {
    call(Receiver::Class(ClassName::new(class)), name, arguments)
}
