package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.JndiLookup.Bound;
import dev.postern.config.JndiLookup.Unresolved;
import dev.postern.model.HomeSetting;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import javax.naming.Context;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import javax.naming.spi.InitialContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the environment of the real process. */
class ProcessEnvironmentTest {

    @AfterEach
    void forgetTheNamingContext() {
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        StubContextFactory.application = "shop";
        StubContextFactory.listing = true;
    }

    @Test
    void aProcessWithoutJndiOffersNothingThere() {
        assertThat(ProcessEnvironment.ofProcess(name -> null).jndi().find("hooks/token"))
                .isEmpty();
    }

    @Test
    void linkThatLeadsNowhereIsUnresolved() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find("jdbc/link"))
                .contains(new Unresolved("java:comp/env/jdbc/link", "NameNotFoundException: nothing there"));
    }

    @Test
    void unresolvedNameShowsNoMessageOfDriver() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find("jdbc/broken"))
                .contains(new Unresolved("java:comp/env/jdbc/broken", "SQLException"));
    }

    @Test
    void nameIsMissingWhereServerListsNone() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        StubContextFactory.listing = false;
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find("jdbc/broken"))
                .isEmpty();
    }

    @Test
    void listsNamesOfWebAppAlone() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        JndiLookup jndi = ProcessEnvironment.ofProcess(any -> null).jndi();
        assertThat(jndi.below("hooks")).isEqualTo(Map.of("path", "java:comp/env/hooks/path"));
        assertThat(jndi.below("missing")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "broken", "wrapped/missing"})
    void aNameThatIsNotThereIsNormal(String name) {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find(name)).isEmpty();
    }

    @Test
    void jndiNamesAreFoundBelowTheWebAppsOwn() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find("hooks/path"))
                .contains(new Bound("java:comp/env/hooks/path", "/in"));
    }

    @Test
    void missingEntryIsFoundAmongServersNamesOfApplication() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find("hooks/token"))
                .contains(new Bound("shop/hooks/token", "t"));
    }

    @Test
    void anApplicationWhoseNameIsNoPlainOneHasNoNamesAmongTheServers() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        StubContextFactory.application = "ldap://x";
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().find("hooks/token"))
                .isEmpty();
    }

    @Test
    void contextParamsPropertiesAndVariablesAreTheProcesss() {
        ProcessEnvironment environment =
                ProcessEnvironment.ofProcess(name -> name.equals("postern.home") ? "/x" : null);
        assertThat(environment.contextParam().apply("postern.home")).contains("/x");
        assertThat(environment.contextParam().apply("other")).isEmpty();
        assertThat(environment.systemProperties()).containsEntry("java.version", System.getProperty("java.version"));
        assertThat(environment.variables()).isEqualTo(System.getenv());
        assertThat(environment.userHome()).isEqualTo(HomeSetting.userHome(System::getProperty, System::getenv));
    }

    @Test
    void itShowsNoValues() {
        assertThat(ProcessEnvironment.ofProcess(name -> null).toString())
                .doesNotContain(System.getenv().getOrDefault("PATH", "PATH"));
    }

    /** The JNDI of a server: {@code java:comp/env} with one value, and one value for the application. */
    public static final class StubContextFactory implements InitialContextFactory {

        private static final Map<String, Set<String>> LISTED = Map.of(
                "java:comp/env/jdbc", Set.of("link", "broken"),
                "java:comp/env/hooks", Set.of("path"),
                "shop/hooks", Set.of("path", "token"));
        private static String application = "shop";
        private static boolean listing = true;

        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            Map<String, Object> bound = Map.of(
                    "java:comp/env",
                    "a context",
                    "java:comp/env/hooks/path",
                    "/in",
                    "java:app/AppName",
                    application,
                    application + "/hooks/path",
                    "/never",
                    application + "/hooks/token",
                    "t");
            return (Context) Proxy.newProxyInstance(
                    StubContextFactory.class.getClassLoader(),
                    new Class<?>[] {Context.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("list")) {
                            return list((String) arguments[0]);
                        }
                        Object value = bound.get(arguments[0]);
                        if (value != null) {
                            return value;
                        }
                        if (arguments[0].toString().endsWith("/broken")) {
                            NamingException failed = new NamingException("a factory failed");
                            failed.initCause(new SQLException("no driver for jdbc:x?password=hunter2"));
                            throw failed;
                        }
                        throw new NameNotFoundException("nothing there");
                    });
        }

        private static NamingEnumeration<NameClassPair> list(String context) throws NamingException {
            if (!listing) {
                throw new OperationNotSupportedException();
            }
            if (!LISTED.containsKey(context)) {
                throw new NameNotFoundException(context);
            }
            Iterator<String> names = LISTED.get(context).iterator();
            return new NamingEnumeration<>() {
                @Override
                public NameClassPair next() {
                    return new NameClassPair(names.next(), "any.Type");
                }

                @Override
                public boolean hasMore() {
                    return names.hasNext();
                }

                @Override
                public void close() {}

                @Override
                public boolean hasMoreElements() {
                    return hasMore();
                }

                @Override
                public NameClassPair nextElement() {
                    return next();
                }
            };
        }
    }
}
