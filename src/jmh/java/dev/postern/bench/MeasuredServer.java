package dev.postern.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, so that its CPU time is its own too. */
final class MeasuredServer implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("ready at (http://\\S+?)(/hooks)?( |$)");
    private static final int STAT_UTIME = 11;
    private static final double TICKS_PER_SECOND = 100;

    private final Process process;
    private final URI base;

    private MeasuredServer(Process process, URI base) {
        this.process = process;
        this.base = base;
    }

    static MeasuredServer start(List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().put("POSTERN_HOOKS_MAXPENDING", "10000000"); // a bench accepts more than anybody runs
        Process process = builder.start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher ready = ADDRESS.matcher(line);
            if (ready.find()) {
                return new MeasuredServer(process, URI.create(ready.group(1)));
            }
        }
        throw new IOException("the server did not start: " + Files.readString(log));
    }

    int port() {
        return base.getPort();
    }

    /** User and system time of the process since its start, in microseconds; Linux alone tells it this way. */
    double cpuMicros() {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            double ticks = Double.parseDouble(fields[STAT_UTIME]) + Double.parseDouble(fields[STAT_UTIME + 1]);
            return ticks / TICKS_PER_SECOND * Duration.ofSeconds(1).toNanos() / 1_000;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resident memory in MiB. */
    long residentMiB() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
