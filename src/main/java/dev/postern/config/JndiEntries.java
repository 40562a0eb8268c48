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
 * The JNDI entries that the server has bound for this web application. The name {@code hooks/token} is looked up as
 * {@code java:comp/env/hooks/token}. If the server names the application ({@code java:app/AppName}, Jakarta EE),
 * {@code <application>/hooks/token} is looked up among the server's own names too. Some servers bind nothing in
 * {@code java:comp/env} that the WAR's own descriptor doesn't declare.
 *
 * <p>A missing name is normal, and so is missing JNDI. The names are constants, or those of declared settings with
 * plain ids in between. They never come from a sender and never are a URL.
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
     * A bound value.
     *
     * @param name the full JNDI name
     * @param value a value of any type
     */
    public record Bound(String name, Object value) {

        /** Omits the value, which may be a secret. */
        @Override
        public String toString() {
            return "Bound[" + name + "]";
        }
    }

    /** The entries that the calling thread sees, which has to be one of the web application's. */
    public static JndiEntries ofThread() {
        try {
            return new JndiEntries(new InitialContext());
        } catch (NamingException none) {
            LOG.log(System.Logger.Level.DEBUG, "No JNDI available: {0}", none.toString());
            return new JndiEntries(null);
        }
    }

    /** The entry {@code name} of this web application, such as {@code hooks/token}; its own context comes first. */
    public Optional<Bound> find(String name) {
        return prefixes.stream()
                .flatMap(prefix -> findShared(prefix + name).stream())
                .findFirst();
    }

    /** The entry that the server has for all applications under {@code name}, in full. */
    public Optional<Bound> findShared(String name) {
        return Optional.ofNullable(lookUp(name)).map(value -> new Bound(name, value));
    }

    private @Nullable Object lookUp(String name) {
        try {
            return names == null ? null : names.lookup(name);
        } catch (NameNotFoundException | NoInitialContextException none) {
            return null;
        } catch (NamingException failed) {
            // Some servers wrap the exception of a missing name, so this may be one.
            LOG.log(System.Logger.Level.DEBUG, "JNDI lookup of {0} failed: {1}", name, failed.toString());
            return null;
        }
    }
}
