package dev.postern.agent.tool;

/** Makes the threads of one tool server. */
record ToolThreadFactory(String name) {

    /** A thread that does {@code work}, and keeps no program running; not started yet. */
    Thread make(String role, Runnable work) {
        Thread thread = new Thread(work, name + "-" + role);
        thread.setDaemon(true);
        return thread;
    }
}
