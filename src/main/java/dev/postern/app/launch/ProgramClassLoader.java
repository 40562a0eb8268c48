package dev.postern.app.launch;

import java.net.URL;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.catalina.loader.ParallelWebappClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * A class loader of the web application that looks only for the JDK's own packages in the JDK. Tomcat's looks there for
 * each class, and the JDK then searches all its modules, which takes a tenth of the start.
 */
final class ProgramClassLoader extends ParallelWebappClassLoader {

    static {
        ClassLoader.registerAsParallelCapable();
    }

    ProgramClassLoader(ClassLoader parent) {
        super(parent);
        setJavaseClassLoader(new JdkClassLoader(getJavaseClassLoader()));
    }

    /** A class loader of the classes of the JDK that finds no resource of other packages. */
    private static final class JdkClassLoader extends ClassLoader {

        static {
            ClassLoader.registerAsParallelCapable();
        }

        private final Set<String> packages = ModuleLayer.boot().modules().stream()
                .flatMap(module -> module.getPackages().stream())
                .map(name -> name.replace('.', '/'))
                .collect(Collectors.toUnmodifiableSet());

        JdkClassLoader(ClassLoader jdk) {
            super(jdk);
        }

        @Override
        public @Nullable URL getResource(String name) {
            int end = name.lastIndexOf('/');
            return end > 0 && packages.contains(name.substring(0, end)) ? super.getResource(name) : null;
        }
    }
}
