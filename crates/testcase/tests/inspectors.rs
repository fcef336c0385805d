//! Which methods tests ask objects by: fixtures, and what their clusters list.

mod sections;

use sections::{check, cluster};

const ORDERS: &str = "
//- /p/Shop.java
package p;
public class Shop {
    public Order open(String owner) {
        Order order = new Order();
        order.setOwner(owner);
        order.addItem(1);
        return order;
    }
}
//- /p/Order.java
package p;
import java.util.*;
public class Order {
    private String owner;
    private List<Integer> items = new ArrayList<>();
    private int asked;
    private Thread worker;
    private Customer customer;
    public void setOwner(String owner) { this.owner = owner; }
    public void addItem(int item) { items.add(item); }
    public String getOwner() { return owner; }
    public List<Integer> getItems() { return items; }
    public Customer getCustomer() { return customer; }
    public Optional<String> getNote() { return Optional.ofNullable(owner); }
    public Object getKey() { return owner; }
    public Thread getWorker() { return worker; }
    public int total() { return items.size() + 1; }
    public int times() { return ++asked; }
    public int getTimes() { return ++asked; }
    public Customer customer() { return customer; }
}
//- /p/Customer.java
package p;
public class Customer {
    public String getName() { return \"a\"; }
}
";

#[test]
fn objects_are_asked_by_what_only_tells_and_gives_a_value_or_an_object_of_the_class_path() {
    check(
        ORDERS,
        "p/Shop",
        &["Order"],
        "
Order
  = new Order()
  = Shop.open(String): Order
  ~ Order.setOwner(String)
  ~ Order.addItem(int)
  ~ Order.getItems(): List<Integer>
  ~ Order.getCustomer(): Customer
  ~ Order.getNote(): Optional<String>
  ~ Order.getKey(): Object
  ~ Order.getWorker(): Thread
  ~ Order.times(): int
  ~ Order.getTimes(): int
  ~ Order.customer(): Customer
  ? Order.getOwner(): String
  ? Order.getItems(): List<Integer>
  ? Order.getCustomer(): Customer
  ? Order.getNote(): Optional<String>
  ? Order.getKey(): Object
  ? Order.total(): int
",
    );
}

#[test]
fn what_tells_of_what_the_code_sets_is_known() {
    let cluster = cluster(ORDERS, "p/Shop", &[]);
    let names = cluster.tells_of_changes.iter().map(|id| &*cluster.callable(*id).name);
    assert_eq!(names.collect::<Vec<_>>(), ["getOwner", "getItems"]);
}
