package dev.postern.agent;

import java.io.IOException;

/**
 * How a program is started in a JVM that isn't ours alone. The threads by which Java learns of its end serve all who start
 * programs, live for a minute after it at least, and on Java 17 keep the context class loader of whoever they were made for.
 */
public final class ProgramStart {

    private ProgramStart() {}

    /** Starts {@code program}, as {@link ProcessBuilder#start} does. */
    public static Process of(ProcessBuilder program) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            return program.start();
        } finally {
            thread.setContextClassLoader(own);
        }
    }
}
