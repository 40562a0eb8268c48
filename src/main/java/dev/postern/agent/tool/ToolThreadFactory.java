package dev.postern.agent.tool;

/** A factory for the threads of one tool server. */
class ToolThreadFactory {

    private final String name;

    /** Creates a factory of threads whose names begin with {@code name}. */
    ToolThreadFactory(String name) {
        this.name = name;
    }

    /** A daemon thread that does {@code work} and is not started yet. */
    Thread make(String role, Runnable work) {
        Thread thread = new Thread(work, name + "-" + role);
        thread.setDaemon(true);
        return thread;
    }
}
