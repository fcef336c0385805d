package covolve.runtime;

/**
 * How far a character is from one of a class of {@link Character}: the distance to the nearest that is.
 */
final class Letters {
    /** The classes, as the instrumentation numbers them. */
    private static final int DIGIT = 0, LETTER = 1, LETTER_OR_DIGIT = 2, ALPHABETIC = 3, UPPER_CASE = 4, LOWER_CASE = 5,
            WHITESPACE = 6, SPACE = 7, IDENTIFIER_START = 8, IDENTIFIER_PART = 9, CONTROL = 10, IDEOGRAPHIC = 11;

    /** How far is searched. All classes but ideographs have members among the first 128 characters. */
    private static final int FARTHEST = 128;

    private Letters() {}

    /** 0 if the character is of the class. */
    static double distance(int character, int kind) {
        if (is(character, kind)) {
            return 0.0;
        }
        for (int distance = 1; distance <= FARTHEST; distance++) {
            if (is(character - distance, kind) || is(character + distance, kind)) {
                return distance;
            }
        }
        int anchor = kind == IDEOGRAPHIC ? 0x4e00 : kind == CONTROL ? 0x7f : kind <= ALPHABETIC ? 'a' : 'A';
        return Math.abs((double) character - anchor) + FARTHEST;
    }

    private static boolean is(int character, int kind) {
        switch (kind) {
            case DIGIT:
                return Character.isDigit(character);
            case LETTER:
                return Character.isLetter(character);
            case LETTER_OR_DIGIT:
                return Character.isLetterOrDigit(character);
            case ALPHABETIC:
                return Character.isAlphabetic(character);
            case UPPER_CASE:
                return Character.isUpperCase(character);
            case LOWER_CASE:
                return Character.isLowerCase(character);
            case WHITESPACE:
                return Character.isWhitespace(character);
            case SPACE:
                return Character.isSpaceChar(character);
            case IDENTIFIER_START:
                return Character.isJavaIdentifierStart(character);
            case IDENTIFIER_PART:
                return Character.isJavaIdentifierPart(character);
            case CONTROL:
                return Character.isISOControl(character);
            default:
                return Character.isIdeographic(character);
        }
    }
}
