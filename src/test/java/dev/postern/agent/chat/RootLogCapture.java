package dev.postern.agent.chat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The records of everything that is logged while it is open, at all levels. */
final class RootLogCapture extends Handler implements AutoCloseable {

    private final Logger root = Logger.getLogger("");
    private final Level before = root.getLevel();
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    RootLogCapture() {
        root.setLevel(Level.ALL);
        root.addHandler(this);
    }

    String all() {
        SimpleFormatter formatter = new SimpleFormatter();
        return String.join("", records.stream().map(formatter::format).toList());
    }

    List<LogRecord> warnings() {
        return records.stream()
                .filter(logged -> logged.getLevel().intValue() >= Level.WARNING.intValue())
                .toList();
    }

    @Override
    public void publish(LogRecord logged) {
        records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
        root.setLevel(before);
    }
}
