package dev.postern.it.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file with the output of a server's process, with Postern's own lines at all levels. */
public final class ServerLog {

    private final Path file;
    private final Pattern line;

    /** @param line how each line begins that is not the rest of the one before, with a group {@code level} */
    ServerLog(Path file, Pattern line) {
        this.file = file;
        this.line = line;
    }

    Path file() {
        return file;
    }

    String text() {
        return textFrom(0);
    }

    /** Where what is said from now on begins. */
    public long mark() {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was said since then, each with its stack trace where it has one. */
    public List<Line> since(long mark) {
        List<Line> lines = new ArrayList<>();
        for (String next : textFrom(mark).lines().toList()) {
            Matcher start = line.matcher(next);
            if (start.lookingAt()) {
                lines.add(new Line(start.group("level"), next));
            } else if (!lines.isEmpty()) {
                lines.add(lines.remove(lines.size() - 1).with(next));
            }
        }
        return lines;
    }

    /**
     * A line of the log.
     *
     * @param level as this server calls it
     * @param text the whole line, with its continuation lines
     */
    public record Line(String level, String text) {

        private Line with(String more) {
            return new Line(level, text + "\n" + more);
        }

        public boolean isWarning() {
            return level.matches("W(ARN(ING)?)?|SEVERE|E(RROR)?|F(ATAL)?");
        }

        public boolean hasStackTrace() {
            return text.contains("\n\tat ");
        }
    }

    private String textFrom(long mark) {
        if (!Files.exists(file)) {
            return "";
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) (in.length() - mark)];
            in.seek(mark);
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
