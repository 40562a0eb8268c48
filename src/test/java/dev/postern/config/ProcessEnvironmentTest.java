package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.JndiEntries.Bound;
import dev.postern.model.HomeSetting;
import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
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
    }

    @Test
    void aProcessWithoutJndiOffersNothingThere() {
        assertThat(ProcessEnvironment.ofProcess(name -> null).jndi().apply("hooks/token"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "broken", "wrapped/missing"})
    void aNameThatIsNotThereIsNormal(String name) {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().apply(name)).isEmpty();
    }

    @Test
    void jndiNamesAreFoundBelowTheWebAppsOwn() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().apply("hooks/path"))
                .contains(new Bound("java:comp/env/hooks/path", "/in"));
    }

    @Test
    void missingEntryIsFoundAmongServersNamesOfApplication() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().apply("hooks/token"))
                .contains(new Bound("shop/hooks/token", "t"));
    }

    @Test
    void anApplicationWhoseNameIsNoPlainOneHasNoNamesAmongTheServers() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, StubContextFactory.class.getName());
        StubContextFactory.application = "ldap://x";
        assertThat(ProcessEnvironment.ofProcess(any -> null).jndi().apply("hooks/token"))
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

        private static String application = "shop";

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
                        Object value = bound.get(arguments[0]);
                        if (value != null) {
                            return value;
                        }
                        throw arguments[0].toString().endsWith("/broken")
                                ? new NamingException("a factory failed")
                                : new NameNotFoundException("nothing there");
                    });
        }
    }
}
