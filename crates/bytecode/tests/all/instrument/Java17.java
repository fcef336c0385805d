import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

public class Java17 {
    sealed interface Shape permits Circle, Square, Named {}

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("negative: " + radius);
            }
        }
    }

    record Square(int side) implements Shape {}

    record Named(String name, Shape shape) implements Shape {}

    enum Level { LOW, MIDDLE, HIGH }

    static double area(Shape shape) {
        if (shape instanceof Circle c && c.radius() > 1) {
            return c.radius() * c.radius();
        } else if (shape instanceof Named n) {
            return area(n.shape()) + n.name().length();
        } else if (!(shape instanceof Square s)) {
            return -1;
        } else {
            return s.side() * s.side();
        }
    }

    static String level(Level level) {
        return switch (level) {
            case LOW -> "l";
            case MIDDLE -> {
                String text = "";
                for (int i = 0; i < 3; i++) {
                    text += i;
                }
                yield text;
            }
            case HIGH -> "h";
        };
    }

    static int word(String word) {
        return switch (word) {
            case "one" -> 1;
            case "two", "deux" -> 2;
            case "Aa" -> 3;
            case "BB" -> 4;
            default -> word.isBlank() ? -1 : 0;
        };
    }

    static String resources(int fail) throws Exception {
        StringBuilder log = new StringBuilder();
        class Resource implements AutoCloseable {
            final int id;

            Resource(int id) {
                this.id = id;
                if (fail == id) {
                    throw new IllegalStateException("open " + id);
                }
            }

            @Override
            public void close() {
                log.append("close ").append(id).append(';');
                if (fail == id + 10) {
                    throw new IllegalStateException("close " + id);
                }
            }
        }
        try (var first = new Resource(1); var second = new Resource(2)) {
            log.append(first.id + second.id).append(';');
            if (fail == 20) {
                throw new Exception("body");
            }
        } catch (IllegalStateException e) {
            log.append(e.getMessage()).append(e.getSuppressed().length);
        }
        return log.toString();
    }

    public static void main(String[] arguments) {
        for (Shape shape : List.of(new Circle(2), new Circle(0.5), new Square(3), new Named("abc", new Square(1)))) {
            System.out.println(shape + " " + area(shape) + " " + shape.equals(new Square(3)));
        }
        for (Level level : Level.values()) {
            System.out.println(level(level));
        }
        for (String word : new String[] {"one", "two", "deux", "Aa", "BB", "C#", " ", "three"}) {
            System.out.println(word(word));
        }
        for (int fail : new int[] {0, 1, 2, 11, 12, 20}) {
            try {
                System.out.println(resources(fail));
            } catch (Exception e) {
                System.out.println(e + " at line " + e.getStackTrace()[0].getLineNumber());
            }
        }
        try {
            System.out.println(new Circle(-1));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        List<Function<Integer, String>> functions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int factor = i;
            functions.add(x -> x * factor > 5 ? "more" : """
                    less
                    than that""");
        }
        functions.forEach(function -> System.out.println(function.apply(4)));
    }
}
