package dev.postern.store;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The log lines of the store's classes while it is open, in place of the test's own output. */
final class StoreLogCapture extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger("dev.postern.store");
    private final Queue<LogRecord> said = new ConcurrentLinkedQueue<>();

    StoreLogCapture() {
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /** The lines from INFO on, without their dates: level, text, and stack trace where there is one. */
    List<String> lines() {
        SimpleFormatter format = new SimpleFormatter();
        return said.stream()
                .filter(line -> line.getLevel().intValue() >= Level.INFO.intValue())
                .map(line -> line.getLevel() + " " + format.formatMessage(line)
                        + (line.getThrown() == null ? "" : format.format(line)))
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
