package dev.postern.it;

import dev.postern.it.server.ServerLog;
import dev.postern.it.server.ServerLog.Line;
import java.util.List;

/** A log book of a server's process. */
final class ServerLogCapture implements LogCapture {

    private final ServerLog log;
    private final long start;

    ServerLogCapture(ServerLog log) {
        this.log = log;
        this.start = log.mark();
    }

    @Override
    public List<String> lines() {
        return log.since(start).stream().map(Line::text).toList();
    }

    @Override
    public List<String> alarms() {
        return log.since(start).stream()
                .filter(Line::isWarning)
                .filter(line -> line.text().contains("dev.postern.") || line.hasStackTrace())
                .map(Line::text)
                .toList();
    }

    @Override
    public void close() {}
}
