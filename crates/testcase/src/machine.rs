//! The machine and the user that tests see where they are executed: no real machine is called so or has that address (RFC 2606 §2,
//! RFC 5737 §3), and nothing of them is asserted.

/// Its name.
pub const NAME: &str = "machine.invalid";
/// Its address.
pub const ADDRESS: [u8; 4] = [192, 0, 2, 1];
/// The folder of the user, as the class `covolve.runtime.WatchedProperties` has it.
pub const USER_FOLDER: &str = "/users/user";
/// Its address, as Java prints it.
pub const PRINTED_ADDRESS: &str = "192.0.2.1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_printed_as_it_is() {
        assert_eq!(PRINTED_ADDRESS, ADDRESS.map(|byte| byte.to_string()).join("."));
    }
}
