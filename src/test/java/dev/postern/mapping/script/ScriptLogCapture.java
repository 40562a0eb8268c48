package dev.postern.mapping.script;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A recorder of the log lines that are written while it is open. */
final class ScriptLogCapture extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger(ScriptRegistry.class.getName());
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    ScriptLogCapture() {
        logger.addHandler(this);
    }

    /** Records DEBUG as well. */
    ScriptLogCapture includingDebug() {
        logger.setLevel(Level.FINE);
        return this;
    }

    List<String> warnings() {
        return lines(Level.WARNING);
    }

    List<String> lines(Level level) {
        return records.stream()
                .filter(line -> line.getLevel().equals(level))
                .map(line -> MessageFormat.format(line.getMessage(), line.getParameters()))
                .toList();
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(null);
    }
}
