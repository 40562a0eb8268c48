package dev.postern.config;

import java.nio.file.Path;

/**
 * The origin of a value, in words that let the operator find it.
 *
 * @param where the place, such as {@code /home/p/.postern/postern.yaml:4:9} or
 *     {@code environment variable POSTERN_HOOKS_PATH}
 */
public record ValueOrigin(String where) {

    /** The origin of a value that was not given. */
    static final ValueOrigin DEFAULT = new ValueOrigin("default");

    public static ValueOrigin file(Path file) {
        return new ValueOrigin(file.toString());
    }

    /** A place in a file; line and column count from 1. */
    public static ValueOrigin file(Path file, int line, int column) {
        return new ValueOrigin(file + ":" + line + ":" + column);
    }

    /** A JNDI name, such as {@code java:comp/env/hooks/token}. */
    static ValueOrigin jndi(String name) {
        return new ValueOrigin("JNDI " + name);
    }

    static ValueOrigin contextParam(String name) {
        return new ValueOrigin("context-param " + name);
    }

    static ValueOrigin systemProperty(String name) {
        return new ValueOrigin("system property " + name);
    }

    static ValueOrigin variable(String name) {
        return new ValueOrigin("environment variable " + name);
    }

    /** The combined origin of this place and another one. */
    ValueOrigin and(ValueOrigin other) {
        return new ValueOrigin(where + " and " + other);
    }

    /** The line of a place in a file. */
    public int line() {
        String[] parts = where.split(":", -1);
        return Integer.parseInt(parts[parts.length - 2]);
    }

    /** The place in a file without its column, such as {@code openclaw.json:4}. */
    public String withoutColumn() {
        return where.replaceFirst(":\\d+$", "");
    }

    /** Whether this is a place in {@code file}. */
    public boolean isIn(Path file) {
        return where.startsWith(file + ":");
    }

    @Override
    public String toString() {
        return where;
    }
}
