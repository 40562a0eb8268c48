package dev.postern.it.standalone;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A system call as {@code strace -f -y -xx} writes it.
 *
 * @param text the call with its arguments; once it has ended, with its result
 */
record StraceCall(String thread, String name, String text) {

    private static final Pattern NAME = Pattern.compile("[<\"]((?:\\\\x[0-9a-f]{2})*)[>\"]");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern LAST_NUMBER = Pattern.compile(", ([0-9]+)(?:\\) += .*)?$");
    private static final int LONGEST_END = 80;

    /** The path or socket that the first argument, a file descriptor, refers to; empty if a path has been removed. */
    String path() {
        int begin = text.indexOf('<');
        int end = text.indexOf('>', begin);
        return text.startsWith("(deleted)", end + 1) ? "" : decoded(text.substring(begin + 1, end));
    }

    /** All the paths among the arguments, of a call that has no others in quotation marks. */
    List<String> paths() {
        return NAME.matcher(text).results().map(StraceCall::decoded).toList();
    }

    /** The file descriptor that is the first argument. */
    int descriptor() {
        return (int) number(text.indexOf('(') + 1);
    }

    /** The first argument in quotation marks. */
    byte[] bytes() {
        int begin = text.indexOf('"') + 1;
        return unescaped(text.substring(begin, text.indexOf('"', begin)));
    }

    String quoted() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** The number that is the last argument. */
    long lastNumber() {
        Matcher number = LAST_NUMBER.matcher(text.substring(Math.max(0, text.length() - LONGEST_END)));
        if (!number.find()) {
            throw new IllegalStateException("no number ends the arguments of " + name);
        }
        return Long.parseLong(number.group(1));
    }

    /** Whether it has returned, and not an error. */
    boolean hasSucceeded() {
        return Character.isDigit(text.charAt(text.lastIndexOf(" = ") + 3));
    }

    long result() {
        return number(text.lastIndexOf(" = ") + 3);
    }

    private long number(int begin) {
        Matcher number = NUMBER.matcher(text).region(begin, text.length());
        return number.lookingAt() ? Long.parseLong(number.group()) : -1;
    }

    private static String decoded(MatchResult name) {
        return decoded(name.group(1));
    }

    private static String decoded(String hex) {
        return new String(unescaped(hex), StandardCharsets.UTF_8);
    }

    private static byte[] unescaped(String hex) {
        byte[] bytes = new byte[hex.length() / 4];
        for (int i = 0; i < bytes.length; i++) {
            int high = Character.digit(hex.charAt(4 * i + 2), 16);
            bytes[i] = (byte) (high << 4 | Character.digit(hex.charAt(4 * i + 3), 16));
        }
        return bytes;
    }
}
