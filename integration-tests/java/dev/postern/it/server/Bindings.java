package dev.postern.it.server;

import java.util.Optional;

/**
 * What an operator has the server bind for one deployment, by the parts of {@code deploy-descriptors/} that are commented out.
 *
 * @param hooksPath the setting {@code hooks.path}, by JNDI
 * @param database {@code jdbc/postern}
 * @param executor whether turns get the server's threads, where it is not so by itself
 * @param proxy whether {@link #PROXY} is believed when it names the client
 */
public record Bindings(Optional<String> hooksPath, Optional<Database> database, boolean executor, boolean proxy) {

    /** The address of a proxy. */
    public static final String PROXY = "127.0.0.9";

    public static final Bindings NONE = new Bindings(Optional.empty(), Optional.empty(), false, false);

    /** A PostgreSQL's database {@code postern}, and the login that the descriptors name. */
    public record Database(String host, int port, String password) {}

    public Bindings withHooksPath(String path) {
        return new Bindings(Optional.of(path), database, executor, proxy);
    }

    public Bindings withDatabase(Database bound) {
        return new Bindings(hooksPath, Optional.of(bound), executor, proxy);
    }

    public Bindings withExecutor() {
        return new Bindings(hooksPath, database, true, proxy);
    }

    public Bindings withProxy() {
        return new Bindings(hooksPath, database, executor, true);
    }
}
