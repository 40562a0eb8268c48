package dev.postern.config;

import java.util.Optional;
import java.util.function.Function;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;

/**
 * The web app's {@code java:comp/env}, looked up once. A name that isn't there is normal, and so is no JNDI at all. The
 * names asked for are those of declared settings, with plain ids in between: never a sender's, never a URL.
 */
@SuppressWarnings("BanJNDI")
final class JndiEnvironment {

    private static final System.Logger LOG = System.getLogger(JndiEnvironment.class.getName());

    private JndiEnvironment() {}

    static Function<String, Optional<Object>> lookup() {
        try {
            Object found = new InitialContext().lookup("java:comp/env");
            return found instanceof Context env ? name -> lookup(env, name) : name -> Optional.empty();
        } catch (NoInitialContextException | NameNotFoundException none) {
            return name -> Optional.empty();
        } catch (NamingException failed) {
            LOG.log(System.Logger.Level.DEBUG, "java:comp/env is not used: {0}", failed.toString());
            return name -> Optional.empty();
        }
    }

    private static Optional<Object> lookup(Context env, String name) {
        try {
            return Optional.ofNullable(env.lookup(name));
        } catch (NameNotFoundException none) {
            return Optional.empty();
        } catch (NamingException failed) {
            // Some servers wrap a missing name, so that this may be one.
            LOG.log(System.Logger.Level.DEBUG, "java:comp/env/{0} is not used: {1}", name, failed.toString());
            return Optional.empty();
        }
    }
}
