//! Which methods ask for the present moment or for chance.

use std::rc::Rc;

use bytecode::code_files::CodeFiles;
use bytecode::fleeting::Fleeting;

const CLASSES: &str = "
//- /p/Day.java
package p;
import java.util.Date;
public class Day extends Base {
    final long time;
    public Day() { this(new Date()); }
    public Day(Date date) { time = date.getTime(); }
    public Day(int year) { super(year); time = 0; }
    static Day today() { return new Day(); }
    static Day of(int year) { return new Day(year); }
    static Day any() { return new Day(dice()); }
    static int dice() { return (int) (6 * Math.random()); }
    static Day again(int depth) { return depth == 0 ? of(2000) : again(depth - 1); }
    String show() { return \"\" + time; }
}
//- /p/Clock.java
package p;
abstract class Clock {
    abstract long millis();
    static Clock system() { return new Ticking(); }
    static Clock fixed() { return new Standing(); }
    static long now(Clock clock) { return clock.millis(); }
    static long now() { return now(system()); }
    static long hour() { return now() / 3600; }
    static long then() { return now(fixed()); }
    abstract Clock again();
    static class Ticking extends Clock {
        Clock again() { return new Ticking(); }
        long millis() { return nanos() / 1000; }
        private long nanos() { return System.nanoTime(); }
    }
    static class Standing extends Clock { Clock again() { return this; } long millis() { return 5; } long real() { return System.currentTimeMillis(); } }
}
//- /p/Base.java
package p;
class Base {
    long made;
    Base() { made = System.nanoTime(); }
    Base(int year) { made = year; }
}
";

#[test]
fn what_asks_for_the_present_or_for_chance_is_found_through_calls() {
    let hierarchy = fixture::compile(CLASSES).hierarchy();
    let mut fleeting = Fleeting::of(Rc::new(CodeFiles::new(&hierarchy)));
    for (name, descriptor, expect) in [
        ("<init>", "()V", true),
        // The constructor of its superclass asks for the time.
        ("<init>", "(Ljava/util/Date;)V", true),
        ("<init>", "(I)V", false),
        ("today", "()Lp/Day;", true),
        ("of", "(I)Lp/Day;", false),
        ("any", "()Lp/Day;", true),
        ("again", "(I)Lp/Day;", false),
        ("show", "()Ljava/lang/String;", false),
        ("absent", "()V", false),
    ] {
        assert_eq!(fleeting.is_method(&"p/Day".into(), name, descriptor), expect, "{name}{descriptor}");
    }
    for (class, name, descriptor, expect) in [
        ("p/Clock", "hour", "()J", true),
        ("p/Clock", "system", "()Lp/Clock;", true),
        ("p/Clock", "fixed", "()Lp/Clock;", false),
        ("p/Clock", "now", "()J", true),
        ("p/Clock", "then", "()J", false),
        ("java/util/Date", "<init>", "()V", true),
        ("java/util/Date", "<init>", "(J)V", false),
        ("java/util/GregorianCalendar", "<init>", "(Ljava/util/TimeZone;)V", true),
        ("java/util/GregorianCalendar", "<init>", "(III)V", false),
        ("java/time/LocalDate", "now", "()Ljava/time/LocalDate;", true),
        ("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;", false),
    ] {
        assert_eq!(fleeting.is_method(&class.into(), name, descriptor), expect, "{class}.{name}{descriptor}");
    }
}
