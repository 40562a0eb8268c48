package dev.postern.mapping.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.WebAppLoader;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that a web application that brings its own Rhino, as a server loads it, is released after it has run a script. */
class ScriptRedeployTest {

    @TempDir
    Path root;

    @Test
    void leavesNoClassLoaderBehind() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx400m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName(),
                        root.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said.strip()).isEqualTo("{\"message\":\"a!1 2,4\"} and is gone");
        assertThat(server.waitFor()).isZero();
    }

    /** A process that keeps nothing for its speed alone. */
    static final class Server {

        public static void main(String[] arguments) throws Exception {
            WeakReference<ClassLoader> webApp = deployAndUndeploy(arguments[0]);
            Awaitility.await().pollInSameThread().until(() -> {
                System.gc();
                return webApp.refersTo(null);
            });
            System.out.println(" and is gone");
        }
    }

    private static WeakReference<ClassLoader> deployAndUndeploy(String root) throws Exception {
        return WebAppLoader.around(WebApp.class, app -> System.out.print(app.apply(root)));
    }

    /** A web application that runs a script, which adds, compares, indexes and calls. */
    public static final class WebApp implements UnaryOperator<String> {

        @Override
        public String apply(String root) {
            String script =
                    """
                    export default function (c) {
                      const twice = [1, 2].map(n => n * 2);
                      return { message: c.payload.text + '!' + (c.payload.text === 'a' ? 1 : 1.5) + ' ' + twice.join() };
                    }
                    """;
            try (TransformFixture transformFixture = new TransformFixture(Path.of(root))) {
                return transformFixture
                        .returned("t.js", script, "{\"text\":\"a\"}")
                        .toString();
            }
        }
    }
}
