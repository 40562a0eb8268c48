package dev.postern.model;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A JDBC URL, classified without connecting. */
public sealed interface DatabaseUrl {

    /** A URL of a PostgreSQL server. */
    record Postgres(String url) implements DatabaseUrl {

        /** The database's name for people: the servers and the database, without user, password and parameters. */
        public String location() {
            String rest = url.substring(url.indexOf(':', "jdbc:".length()) + 1).replaceFirst("[?].*", "");
            return "PostgreSQL "
                    + (rest.startsWith("//") ? "at " + rest.substring(2).replaceFirst("^.*@", "") : "[" + rest + "]");
        }
    }

    /** A URL of a SQLite database in a file. */
    record SqliteFile(Path file) implements DatabaseUrl {}

    /**
     * A URL of no database that can store accepted runs and events. Neither text contains any part of the URL, which may
     * contain a password.
     *
     * @param wrong the problem, as a predicate after the URL's name
     * @param instead the advice on a valid value
     */
    record Unsupported(String wrong, String instead) implements DatabaseUrl {}

    /** Classifies {@code url}. */
    static DatabaseUrl of(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return new Postgres(url);
        }
        String sqlite = "jdbc:sqlite:";
        return url.startsWith(sqlite)
                ? file(url.substring(sqlite.length()))
                : new Unsupported(
                        "is no JDBC URL of PostgreSQL or SQLite",
                        "write one such as jdbc:postgresql://host/database, or leave it out for SQLite in data/");
    }

    private static DatabaseUrl file(String name) {
        String instead = "write jdbc:sqlite:/path/to/file.db, or leave it out for SQLite in data/";
        if (name.isBlank() || name.startsWith(":") || name.startsWith("file:")) {
            return new Unsupported("is no plain file and would not survive", instead);
        }
        if (name.indexOf('?') >= 0) {
            return new Unsupported("holds a question mark, which SQLite reads as the end of the file's name", instead);
        }
        try {
            return new SqliteFile(Path.of(name));
        } catch (InvalidPathException malformed) {
            return new Unsupported("names a file that there can't be", instead);
        }
    }
}
