package dev.postern.it;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** A log book of this JVM. */
final class JvmLogCapture extends Handler implements LogCapture {

    private static final String POSTERN = "dev.postern";
    private final Logger root = Logger.getLogger("");
    private final Logger postern = Logger.getLogger(POSTERN);
    private final Level usual = postern.getLevel();
    private final Queue<LogRecord> lines = new ConcurrentLinkedQueue<>();

    JvmLogCapture() {
        setLevel(Level.ALL);
        postern.setLevel(Level.ALL);
        root.addHandler(this);
    }

    @Override
    public List<String> lines() {
        SimpleFormatter format = new SimpleFormatter();
        return lines.stream().map(format::format).toList();
    }

    @Override
    public List<String> alarms() {
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
