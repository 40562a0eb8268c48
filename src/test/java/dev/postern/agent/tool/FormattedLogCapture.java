package dev.postern.agent.tool;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;

/**
 * A log handler for everything that is logged, at every level, except the JDK's debugging of its own HTTP, which names
 * addresses.
 */
final class FormattedLogCapture extends Handler implements AutoCloseable {

    private static final Set<String> DEBUGGING = Set.of("jdk.internal.httpclient.debug", "com.sun.net.httpserver");

    private final Logger root = Logger.getLogger("");
    private final Level before = root.getLevel();
    private final Handler[] others = root.getHandlers();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    FormattedLogCapture() {
        setLevel(Level.ALL);
        for (Handler other : others) {
            root.removeHandler(other);
        }
        root.addHandler(this);
        root.setLevel(Level.ALL);
    }

    @Override
    public void publish(LogRecord line) {
        if (!DEBUGGING.contains(String.valueOf(line.getLoggerName()))) {
            lines.add(new SimpleFormatter().format(line));
        }
    }

    String all() {
        return String.join("", lines);
    }

    /** The lines of this package, from WARNING on. */
    String warnings() {
        return lines.stream()
                .filter(line -> line.contains("WARNING") && line.contains("dev.postern.agent.tool"))
                .collect(Collectors.joining());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
        root.setLevel(before);
        for (Handler other : others) {
            root.addHandler(other);
        }
    }
}
