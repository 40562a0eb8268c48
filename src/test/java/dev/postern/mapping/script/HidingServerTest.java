package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.WebAppLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ResourceBundle;
import java.util.function.UnaryOperator;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a server that shows web applications less of the JDK than there is, and is strict with loggers, as GlassFish
 * is.
 */
class HidingServerTest {

    @TempDir
    Path root;

    @Test
    void runsScriptsThatAreLinkedByWhatTheServerHides() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.util.logging.manager=" + StrictLogManager.class.getName(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName(),
                        root.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said.strip()).isEqualTo("{\"message\":\"a!2\"}");
        assertThat(server.waitFor()).isZero();
    }

    /** A log manager that rejects a logger with a resource bundle that has no name. */
    public static final class StrictLogManager extends LogManager {

        @Override
        public boolean addLogger(Logger logger) {
            ResourceBundle bundle = logger.getResourceBundle();
            if (bundle != null && bundle.getBaseBundleName() == null) {
                throw new IllegalArgumentException("resource bundle must have a name");
            }
            return super.addLogger(logger);
        }
    }

    /** A process of such a server. */
    static final class Server {

        public static void main(String[] arguments) throws Exception {
            ClassLoader hiding = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
                @Override
                protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                    if (name.startsWith("jdk.dynalink.")) {
                        throw new ClassNotFoundException(name);
                    }
                    return super.loadClass(name, resolve);
                }
            };
            WebAppLoader.around(WebApp.class, hiding, app -> System.out.print(app.apply(arguments[0])));
        }
    }

    /** A web application that runs a script, which adds and calls. */
    public static final class WebApp implements UnaryOperator<String> {

        @Override
        public String apply(String root) {
            String script = "export default c => ({message: c.payload.text + '!' + [1].map(n => n * 2).join()});";
            try (TransformFixture transformFixture = new TransformFixture(Path.of(root))) {
                return transformFixture
                        .returned("t.ts", script, "{\"text\":\"a\"}")
                        .toString();
            }
        }
    }
}
