package dev.postern;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A class loader as a server gives it to a web app: all that is ours is loaded by it once more. */
public final class WebAppLoader {

    private WebAppLoader() {}

    /**
     * Makes {@code app} there, and closes the loader after {@code use}.
     *
     * @param app public, with a public constructor without parameters
     * @return the loader, of which nobody should know any more
     */
    public static <T> WeakReference<ClassLoader> around(
            Class<? extends UnaryOperator<T>> app, Consumer<UnaryOperator<T>> use) throws Exception {
        return around(app, ClassLoader.getPlatformClassLoader(), use);
    }

    /** As {@link #around(Class, Consumer)}, in a server that shows its web apps what {@code server} has. */
    @SuppressWarnings("unchecked")
    public static <T> WeakReference<ClassLoader> around(
            Class<? extends UnaryOperator<T>> app, ClassLoader server, Consumer<UnaryOperator<T>> use)
            throws Exception {
        URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(WebAppLoader::url)
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(classPath, server)) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                use.accept((UnaryOperator<T>)
                        loader.loadClass(app.getName()).getDeclaredConstructor().newInstance());
            } finally {
                thread.setContextClassLoader(before);
            }
            return new WeakReference<>(loader);
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
