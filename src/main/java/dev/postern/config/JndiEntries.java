package dev.postern.config;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import org.jspecify.annotations.Nullable;

/**
 * The JNDI entries that the server has bound for this web application. The name {@code hooks/token} is looked up as
 * {@code java:comp/env/hooks/token}. If the server names the application ({@code java:app/AppName}, Jakarta EE),
 * {@code <application>/hooks/token} is looked up among the server's own names too. Some servers bind nothing in
 * {@code java:comp/env} that the WAR's own descriptor doesn't declare.
 *
 * <p>A missing name is normal, and so is missing JNDI. A name that its context lists and whose lookup fails is neither:
 * it was bound on purpose. The exception doesn't tell, since some servers wrap that of a missing name, and others throw
 * one for a link that leads nowhere. Where a server lists no names, the name counts as missing.
 *
 * <p>The names are constants, or those of declared settings with plain ids in between. They never come from a sender and
 * never are a URL.
 */
@SuppressWarnings("BanJNDI")
public final class JndiEntries implements JndiLookup {

    private static final System.Logger LOG = System.getLogger(JndiEntries.class.getName());
    private static final String WEB_APPLICATION = "java:comp/env";
    private static final String APPLICATION = "java:app/AppName";
    private static final Pattern PLAIN = Pattern.compile("[\\w.-]+");

    private final @Nullable Context names;
    private final List<String> prefixes = new ArrayList<>();
    private final Map<String, Set<String>> listed = new HashMap<>();

    private JndiEntries(@Nullable Context names) {
        this.names = names;
        if (findShared(WEB_APPLICATION).orElse(null) instanceof Bound) {
            prefixes.add(WEB_APPLICATION + "/");
        }
        if (findShared(APPLICATION).orElse(null) instanceof Bound application
                && application.value() instanceof String name
                && PLAIN.matcher(name).matches()) {
            prefixes.add(name + "/");
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
    @Override
    public Optional<Entry> find(String name) {
        return prefixes.stream()
                .flatMap(prefix -> findShared(prefix + name).stream())
                .findFirst();
    }

    /** The entry that the server has for all applications under {@code name}, in full. */
    public Optional<Entry> findShared(String name) {
        if (names == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(names.lookup(name)).map(value -> new Bound(name, value));
        } catch (NoInitialContextException none) {
            return Optional.empty();
        } catch (NamingException failed) {
            if (!(failed instanceof NameNotFoundException)) {
                LOG.log(System.Logger.Level.DEBUG, "JNDI lookup of {0} failed: {1}", name, failed.toString());
            }
            int slash = name.lastIndexOf('/');
            return slash > 0 && list(name.substring(0, slash)).contains(name.substring(slash + 1))
                    ? Optional.of(new Unresolved(name, causeOf(failed)))
                    : Optional.empty();
        }
    }

    /** Only the web application's own context, since the server's names may be those of other applications. */
    @Override
    public SortedMap<String, String> below(String context) {
        SortedMap<String, String> fullNames = new TreeMap<>();
        String parent = WEB_APPLICATION + "/" + context;
        if (prefixes.contains(WEB_APPLICATION + "/")) {
            list(parent).forEach(name -> fullNames.put(name, parent + "/" + name));
        }
        return fullNames;
    }

    /** The simple names in the context {@code parent}; empty where there is none, or the server does not list it. */
    private Set<String> list(String parent) {
        return listed.computeIfAbsent(parent, context -> {
            Set<String> found = new HashSet<>();
            try {
                NamingEnumeration<NameClassPair> pairs = requireNonNull(names).list(context);
                while (pairs.hasMore()) {
                    found.add(pairs.next().getName());
                }
                pairs.close();
            } catch (NamingException | UnsupportedOperationException unlisted) {
                LOG.log(System.Logger.Level.DEBUG, "JNDI does not list {0}: {1}", context, unlisted.toString());
            }
            return found;
        });
    }

    /**
     * The kinds of {@code failed} and of its innermost cause. Only the messages of exceptions that hold a mere name are
     * added: that of a pool or a driver may hold a password.
     */
    private static String causeOf(NamingException failed) {
        Throwable cause = failed;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String kind = cause.getClass().getSimpleName();
        return cause instanceof NameNotFoundException
                        || cause instanceof ClassNotFoundException
                        || cause instanceof NoClassDefFoundError
                ? kind + ": " + String.valueOf(cause.getMessage()).replaceFirst("[.]$", "")
                : kind;
    }
}
