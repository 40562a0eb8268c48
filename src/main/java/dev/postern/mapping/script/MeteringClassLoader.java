package dev.postern.mapping.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A class loader that loads Rhino, metered, and our classes that touch it; all others come from the web application's
 * loader. Rhino's code generator is not metered: it runs before a script does, and what it links must not be ended
 * half-way.
 *
 * <p>It also loads its own, unchanged copy of the JDK's dynamic linker, by which Rhino links. A server may hide the
 * linker's module from web applications. If the JDK's copy names its logger, the resource bundle of the module has no name.
 * GlassFish does the first and rejects the second.
 */
final class MeteringClassLoader extends ClassLoader {

    static {
        registerAsParallelCapable();
    }

    private static final String RHINO = "org.mozilla.";
    private static final String OURS = MeteringClassLoader.class.getPackageName() + ".rhino.";
    private static final String GENERATOR = "org.mozilla.javascript.optimizer.";
    private static final String WRITER = "org.mozilla.classfile.";
    private static final String RUNTIME = "org.mozilla.javascript.optimizer.OptRuntime";
    private static final String LINKER = "jdk.dynalink.";

    MeteringClassLoader() {
        super("postern-scripts", MeteringClassLoader.class.getClassLoader());
    }

    /**
     * Makes an object of a class of ours that touches Rhino. Meanwhile this is the thread's context class loader, by which
     * Rhino finds parts of itself.
     *
     * @param name of a class in the package {@code rhino} with a constructor without parameters
     */
    <T> T made(Class<T> as, String name) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            return as.cast(Class.forName(OURS + name, true, this)
                    .getDeclaredConstructor()
                    .newInstance());
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Rhino can't be started", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Rhino can't be loaded", e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(RHINO) && !name.startsWith(OURS) && !name.startsWith(LINKER)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] classFile = classFile(name);
        byte[] code = isMetered(name) ? MeteringTransformer.metered(classFile) : classFile;
        return defineClass(name, code, 0, code.length);
    }

    /** Finds the resources beside the linker's classes. */
    @Override
    protected @Nullable URL findResource(String name) {
        if (!name.startsWith(path(LINKER))) {
            return null;
        }
        try {
            Path file = ofLinker(name);
            return Files.exists(file) ? file.toUri().toURL() : null;
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isMetered(String name) {
        boolean generator = name.startsWith(GENERATOR) || name.startsWith(WRITER);
        return name.startsWith(RUNTIME) || (name.startsWith(RHINO) && !generator);
    }

    private byte[] classFile(String name) throws ClassNotFoundException {
        String file = path(name) + ".class";
        try (InputStream in = name.startsWith(LINKER)
                ? Files.newInputStream(ofLinker(file))
                : getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static String path(String name) {
        return name.replace('.', '/');
    }

    /** The path of a linker's file in the image that the JVM runs from, where a module doesn't hide its resources. */
    private static Path ofLinker(String file) {
        return Path.of(URI.create("jrt:/jdk.dynalink/" + file));
    }
}
