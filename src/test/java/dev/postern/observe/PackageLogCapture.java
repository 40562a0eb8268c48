package dev.postern.observe;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The log lines of a package's classes while it is open, in place of the test's own output. */
public final class PackageLogCapture extends Handler implements AutoCloseable {

    private final Logger logger;
    private final Queue<LogRecord> said = new ConcurrentLinkedQueue<>();

    public PackageLogCapture(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /** The lines from INFO on, without their dates: level, text, and stack trace where there is one. */
    public List<String> lines() {
        SimpleFormatter format = new SimpleFormatter();
        return said.stream()
                .filter(line -> line.getLevel().intValue() >= Level.INFO.intValue())
                .map(line -> line.getLevel() + " " + format.formatMessage(line)
                        + (line.getThrown() == null ? "" : format.format(line)))
                .toList();
    }

    /** The lines of {@code level}, as formatted for people, without their dates. */
    public List<String> lines(Level level) {
        SimpleFormatter format = new SimpleFormatter();
        return said.stream()
                .filter(line -> line.getLevel().equals(level))
                .map(format::formatMessage)
                .toList();
    }

    @Override
    public void publish(LogRecord line) {
        said.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
