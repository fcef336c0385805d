package covolve.maven;

import java.util.Map;

/** Writes maps, collections, texts and null as JSON. */
final class Json {
    private Json() {}

    static String write(Object value) {
        StringBuilder text = new StringBuilder();
        append(value, text);
        return text.toString();
    }

    private static void append(Object value, StringBuilder text) {
        if (value == null) {
            text.append("null");
        } else if (value instanceof Map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                text.append(separator);
                append(entry.getKey(), text);
                text.append(':');
                append(entry.getValue(), text);
                separator = ",";
            }
            text.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String separator = "[";
            for (Object element : (Iterable<?>) value) {
                text.append(separator);
                append(element, text);
                separator = ",";
            }
            text.append(separator.equals("[") ? "[]" : "]");
        } else {
            quote(value.toString(), text);
        }
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (char unit : value.toCharArray()) {
            if (unit == '"' || unit == '\\' || unit < ' ') {
                text.append(String.format("\\u%04x", (int) unit));
            } else {
                text.append(unit);
            }
        }
        text.append('"');
    }
}
