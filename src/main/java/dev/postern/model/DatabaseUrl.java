package dev.postern.model;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A JDBC URL, classified without connecting. */
public sealed interface DatabaseUrl {

    /** The start of a URL of PostgreSQL. */
    String POSTGRES = "jdbc:postgresql:";

    /** The pattern of the servers and the rest: hosts, which in brackets are IPv6 addresses, and perhaps ports. */
    Pattern SERVERS = Pattern.compile(
            "//(SERVER(,SERVER)*)?(/.*)?".replace("SERVER", "([^/:,\\[\\]\\s]+|\\[[\\w:.%]+\\])(:[0-9]{1,5})?"));

    /**
     * A URL of a PostgreSQL server.
     *
     * @param url the whole URL; its parameters may hold a password
     */
    record Postgres(String url) implements DatabaseUrl {

        /** The URL without its parameters. */
        public String address() {
            int query = url.indexOf('?');
            return query < 0 ? url : url.substring(0, query);
        }

        /**
         * The URL's parameters, decoded, by name. As in the driver, the last one of a name counts.
         *
         * @throws IllegalArgumentException if one can't be decoded, which {@link DatabaseUrl#of} rejects
         */
        public Map<String, String> parameters() {
            Map<String, String> parameters = new LinkedHashMap<>();
            for (String each :
                    url.substring(address().length()).replaceFirst("^[?]", "").split("&", -1)) {
                int equals = each.indexOf('=');
                if (!each.isEmpty()) {
                    parameters.put(
                            equals < 0 ? each : each.substring(0, equals),
                            equals < 0 ? "" : URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
            return parameters;
        }

        /** The database's name for people: the servers and the database, without user, password and parameters. */
        public String location() {
            String rest = address().substring(url.indexOf(':', "jdbc:".length()) + 1);
            return "PostgreSQL "
                    + (rest.startsWith("//") ? "at " + rest.substring(2).replaceFirst("^.*@", "") : "[" + rest + "]");
        }

        /** Omits the parameters, which may hold a password. */
        @Override
        public String toString() {
            return "Postgres[" + location() + "]";
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
        if (url.startsWith(POSTGRES)) {
            return server(new Postgres(url));
        }
        String sqlite = "jdbc:sqlite:";
        return url.startsWith(sqlite)
                ? file(url.substring(sqlite.length()))
                : new Unsupported(
                        "is no JDBC URL of PostgreSQL or SQLite",
                        "write one such as jdbc:postgresql://host/database, or leave it out for SQLite in data/");
    }

    /** Rejects what would be a login, or what the driver can't read and would quote in its message. */
    private static DatabaseUrl server(Postgres url) {
        String rest = url.address().substring(POSTGRES.length());
        if (rest.startsWith("//") && !SERVERS.matcher(rest).matches() && rest.indexOf('@') < 0) {
            return new Unsupported("names a server that there can't be", "write jdbc:postgresql://host:port/database");
        }
        try {
            // A question mark or a slash in a password ends what the driver takes for the servers.
            return rest.indexOf('@') < 0 && url.parameters().keySet().stream().allMatch(name -> name.indexOf('@') < 0)
                    ? url
                    : new Unsupported(
                            "holds a login",
                            "write jdbc:postgresql://host/database, and the login as database.username and"
                                    + " database.password");
        } catch (IllegalArgumentException undecodable) {
            return new Unsupported(
                    "has a parameter with a % that encodes no character", "write %25 for a percent sign");
        }
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
