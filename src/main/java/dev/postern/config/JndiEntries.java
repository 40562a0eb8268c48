package dev.postern.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import org.jspecify.annotations.Nullable;

/**
 * What the server has bound for this web application. {@code hooks/token} is looked for as {@code java:comp/env/hooks/token},
 * and where the server says what the application is called ({@code java:app/AppName}, Jakarta EE), as
 * {@code <application>/hooks/token} among the server's own names: some servers bind in {@code java:comp/env} nothing that the
 * WAR's own descriptor doesn't declare.
 *
 * <p>A name that isn't there is normal, and so is no JNDI at all. The names asked for are constants, or those of declared
 * settings with plain ids in between: never a sender's, never a URL.
 */
@SuppressWarnings("BanJNDI")
public final class JndiEntries {

    private static final System.Logger LOG = System.getLogger(JndiEntries.class.getName());
    private static final String WEB_APPLICATION = "java:comp/env";
    private static final String APPLICATION = "java:app/AppName";
    private static final Pattern PLAIN = Pattern.compile("[\\w.-]+");

    private final @Nullable Context names;
    private final List<String> prefixes = new ArrayList<>();

    private JndiEntries(@Nullable Context names) {
        this.names = names;
        if (lookUp(WEB_APPLICATION) != null) {
            prefixes.add(WEB_APPLICATION + "/");
        }
        if (lookUp(APPLICATION) instanceof String application
                && PLAIN.matcher(application).matches()) {
            prefixes.add(application + "/");
        }
    }

    /**
     * What is bound.
     *
     * @param name where, in full
     * @param value of whatever type
     */
    public record Bound(String name, Object value) {

        /** Names no value: it may be a secret. */
        @Override
        public String toString() {
            return "Bound[" + name + "]";
        }
    }

    /** The names that the calling thread sees, which has to be one of the web application's. */
    public static JndiEntries ofThread() {
        try {
            return new JndiEntries(new InitialContext());
        } catch (NamingException none) {
            LOG.log(System.Logger.Level.DEBUG, "There is no naming: {0}", none.toString());
            return new JndiEntries(null);
        }
    }

    /** What is bound for us as {@code name}, such as {@code hooks/token}; the web application's own goes first. */
    public Optional<Bound> find(String name) {
        return prefixes.stream()
                .flatMap(prefix -> findShared(prefix + name).stream())
                .findFirst();
    }

    /** What the server has for every application as {@code name}, in full. */
    public Optional<Bound> findShared(String name) {
        return Optional.ofNullable(lookUp(name)).map(value -> new Bound(name, value));
    }

    private @Nullable Object lookUp(String name) {
        try {
            return names == null ? null : names.lookup(name);
        } catch (NameNotFoundException | NoInitialContextException none) {
            return null;
        } catch (NamingException failed) {
            // Some servers wrap a missing name, so that this may be one.
            LOG.log(System.Logger.Level.DEBUG, "{0} is not used: {1}", name, failed.toString());
            return null;
        }
    }
}
