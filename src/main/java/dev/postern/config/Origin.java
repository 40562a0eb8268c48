package dev.postern.config;

import java.nio.file.Path;

/**
 * Where a value was read from, in words with which a person finds it again.
 *
 * @param where such as {@code /home/p/.postern/postern.yaml:4:9} or {@code environment variable POSTERN_HOOKS_PATH}
 */
public record Origin(String where) {

    /** Nobody gave the value. */
    static final Origin DEFAULT = new Origin("default");

    static Origin file(Path file) {
        return new Origin(file.toString());
    }

    /** A place in a file; line and column count from 1. */
    static Origin file(Path file, int line, int column) {
        return new Origin(file + ":" + line + ":" + column);
    }

    /** Such as {@code java:comp/env/hooks/token}. */
    static Origin jndi(String name) {
        return new Origin("JNDI " + name);
    }

    static Origin contextParam(String name) {
        return new Origin("context-param " + name);
    }

    static Origin systemProperty(String name) {
        return new Origin("system property " + name);
    }

    static Origin variable(String name) {
        return new Origin("environment variable " + name);
    }

    /** This place and another one. */
    Origin and(Origin other) {
        return new Origin(where + " and " + other);
    }

    /** The line of a place in a file. */
    int line() {
        String[] parts = where.split(":", -1);
        return Integer.parseInt(parts[parts.length - 2]);
    }

    /** Whether this is a place in {@code file}. */
    boolean isIn(Path file) {
        return where.startsWith(file + ":");
    }

    @Override
    public String toString() {
        return where;
    }
}
