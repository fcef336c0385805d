//! Which methods tests ask objects by: fixtures, and what their clusters list.

use crate::sections::{check, cluster};

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

/// Getters that write: of a property that can be set, and of nothing that anybody set.
const COUNTED: &str = "
//- /p/Desk.java
package p;
public class Desk { public void open(Limits limits) { limits.setMost(3); } }
//- /p/Limits.java
package p;
public class Limits {
    private int most, asked, log;
    private boolean strict;
    public void setMost(int most) { this.most = most; }
    public int getMost() { asked++; return most; }
    public void setStrict(boolean strict) { this.strict = strict; }
    public boolean isStrict() { asked++; return strict; }
    public void setLog(String log) { }
    public int getLog() { return log++; }
    public int getAsked() { return asked++; }
}
";

#[test]
fn a_property_that_can_be_set_is_asked_for_whatever_its_getter_writes() {
    check(
        COUNTED,
        "p/Desk",
        &["Limits"],
        "
Limits
  = new Limits()
  ~ Limits.setMost(int)
  ~ Limits.setStrict(boolean)
  ~ Limits.setLog(String)
  ~ Limits.getLog(): int
  ~ Limits.getAsked(): int
  ? Limits.getMost(): int
  ? Limits.isStrict(): boolean
",
    );
}

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

/// Gives books of another class, which nothing takes.
const SHELF: &str = "
//- /p/Shelf.java
package p;
import java.util.*;
public class Shelf {
    private final List<Book> books = new ArrayList<>();
    public List<Book> books() { return books; }
    public Optional<Book> find(String title) { return books.stream().filter(book -> book.getTitle().equals(title)).findFirst(); }
    public List<String> titles() { return new ArrayList<>(); }
    public List<? extends Book> some() { return books; }
}
//- /p/Book.java
package p;
import java.util.*;
public class Book {
    private final String title;
    Book(String title) { this.title = title; }
    public String getTitle() { return title; }
    public int pages() { return title.length(); }
    public List<Page> getPages() { return new ArrayList<>(); }
    public void tear() { }
}
//- /p/Page.java
package p;
public class Page {
    Page() {}
    public int getNumber() { return 1; }
}
";

#[test]
fn elements_of_lists_and_optionals_of_the_class_path_tell_of_themselves() {
    check(
        SHELF,
        "p/Shelf",
        &["List<Book>", "Optional<Book>", "Book", "List<Page>", "Page"],
        "
List<Book>
  = new ArrayList<Book>()
  = new LinkedList<Book>()
  = static Arrays.<Book>asList(Book[]): List<Book>
  = static Collections.<Book>emptyList(): List<Book>
  = static Collections.<Book>singletonList(Book): List<Book>
  = Shelf.books(): List<Book>
  ~ List<Book>.add(Book): boolean
  ? List<Book>.size(): int
  ? List<Book>.isEmpty(): boolean
  ? element: List<Book>.get(int): Book cast Lp/Book;
Optional<Book>
  ? Optional<Book>.isPresent(): boolean
  ? element: Optional<Book>.get(): Book cast Lp/Book;
Book
  = new Book(String)
  ~ Book.getPages(): List<Page>
  ~ Book.tear()
  ? Book.getTitle(): String
  ? Book.pages(): int
  ? Book.getPages(): List<Page>
List<Page>
  = new ArrayList<Page>()
  = new LinkedList<Page>()
  = static Arrays.<Page>asList(Page[]): List<Page>
  = static Collections.<Page>emptyList(): List<Page>
  = static Collections.<Page>singletonList(Page): List<Page>
  ~ List<Page>.add(Page): boolean
  ? List<Page>.size(): int
  ? List<Page>.isEmpty(): boolean
  ? element: List<Page>.get(int): Page cast Lp/Page;
Page
  = new Page()
  ? Page.getNumber(): int
",
    );
}
