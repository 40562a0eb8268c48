package dev.postern.net;

/** The context class loader of the current thread, which the threads that it makes inherit. */
public final class ContextClassLoader {

    private ContextClassLoader() {}

    /**
     * Calls {@code action} while {@code loader} is the context class loader of the current thread.
     *
     * @return what {@code action} returns
     * @throws X if {@code action} does
     */
    public static <T, X extends Exception> T call(ClassLoader loader, Action<T, X> action) throws X {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Code that runs with another context class loader. */
    @FunctionalInterface
    public interface Action<T, X extends Exception> {

        /** Runs the code. */
        T call() throws X;
    }
}
