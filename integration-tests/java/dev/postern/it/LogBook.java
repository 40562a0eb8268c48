package dev.postern.it;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Everything that is logged in this JVM while it is open, Postern's own lines down to the finest. */
final class LogBook extends Handler implements AutoCloseable {

    private static final String POSTERN = "dev.postern";
    private final Logger root = Logger.getLogger("");
    private final Logger postern = Logger.getLogger(POSTERN);
    private final Level usual = postern.getLevel();
    private final Queue<LogRecord> lines = new ConcurrentLinkedQueue<>();

    LogBook() {
        setLevel(Level.ALL);
        postern.setLevel(Level.ALL);
        root.addHandler(this);
    }

    /** Each line as an operator would read it, with its stack trace where it has one. */
    List<String> lines() {
        SimpleFormatter format = new SimpleFormatter();
        return lines.stream().map(format::format).toList();
    }

    /** What would worry an operator: warnings of Postern's, and warnings of anybody's that show an exception. */
    List<String> alarms() {
        return lines.stream()
                .filter(line -> line.getLevel().intValue() >= Level.WARNING.intValue())
                .filter(line -> line.getLoggerName().startsWith(POSTERN) || line.getThrown() != null)
                .map(new SimpleFormatter()::format)
                .toList();
    }

    @Override
    public void publish(LogRecord line) {
        if (!ConsoleFilter.isAboutJsp(line)) {
            lines.add(line);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
        postern.setLevel(usual);
    }
}
