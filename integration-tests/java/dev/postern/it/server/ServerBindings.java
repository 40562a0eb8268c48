package dev.postern.it.server;

import java.util.Optional;

/**
 * The resources that an operator has the server bind for one deployment: parts of {@code deploy-descriptors/} that are
 * commented out.
 *
 * @param hooksPath the setting {@code hooks.path}, by JNDI
 * @param database {@code jdbc/postern}
 * @param executor whether turns get the server's threads, where it is not so by itself
 * @param proxy whether {@link #PROXY} is believed when it names the client
 * @param users whether the server's users are known: {@link #VIEWER}, who has the role to look, and {@link #STRANGER}
 */
public record ServerBindings(
        Optional<String> hooksPath, Optional<Database> database, boolean executor, boolean proxy, boolean users) {

    /** The address of a proxy. */
    public static final String PROXY = "127.0.0.9";

    /** A user with the role {@code postern-viewer}, and {@link #PASSWORD}. */
    public static final String VIEWER = "vera";

    /** A user with another role, and {@link #PASSWORD}. */
    public static final String STRANGER = "nora";

    public static final String PASSWORD = "p4ssword-of-vera";

    public static final ServerBindings NONE =
            new ServerBindings(Optional.empty(), Optional.empty(), false, false, false);

    /** A PostgreSQL's database {@code postern}, and the login that the descriptors name. */
    public record Database(String host, int port, String password) {}

    public ServerBindings withHooksPath(String path) {
        return new ServerBindings(Optional.of(path), database, executor, proxy, users);
    }

    public ServerBindings withDatabase(Database bound) {
        return new ServerBindings(hooksPath, Optional.of(bound), executor, proxy, users);
    }

    public ServerBindings withExecutor() {
        return new ServerBindings(hooksPath, database, true, proxy, users);
    }

    public ServerBindings withProxy() {
        return new ServerBindings(hooksPath, database, executor, true, users);
    }

    public ServerBindings withUsers() {
        return new ServerBindings(hooksPath, database, executor, proxy, true);
    }
}
