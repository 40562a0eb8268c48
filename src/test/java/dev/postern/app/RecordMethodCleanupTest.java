package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests that a stopped web app, whose records were compared, is released. */
class RecordMethodCleanupTest {

    @Test
    void keepsNoClassLoaderOnceOursAreForgotten() throws Exception {
        WeakReference<ClassLoader> webApp = deployAndUndeploy();

        CoreServices.RecordMethodCleanup.forgetOurs();

        Awaitility.await().pollInSameThread().until(() -> {
            System.gc();
            return webApp.refersTo(null);
        });
    }

    private static WeakReference<ClassLoader> deployAndUndeploy() throws Exception {
        URL[] tests = {WebApp.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader loader = new URLClassLoader(tests, ClassLoader.getPlatformClassLoader())) {
            Callable<?> app = (Callable<?>) loader.loadClass(WebApp.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            assertThat(app.call()).isEqualTo("Outer[inner=Inner[text=a]] true");
            return new WeakReference<>(loader);
        }
    }

    /** A web app that uses the methods of records that hold records. */
    public static final class WebApp implements Callable<String> {

        private record Inner(String text) {}

        private record Outer(Inner inner) {}

        @Override
        public String call() {
            Outer one = new Outer(new Inner("a"));
            Outer other = new Outer(new Inner("a"));
            return one + " " + (one.equals(other) && one.hashCode() == other.hashCode());
        }
    }
}
