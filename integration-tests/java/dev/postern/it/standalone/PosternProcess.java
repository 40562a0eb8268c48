package dev.postern.it.standalone;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process that runs the packaged WAR. */
final class PosternProcess {

    static final String WAR = System.getProperty("it.war", "target/postern.war");

    /** An option of a JVM by which it starts sooner; nothing here runs for long. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1";

    private static final Duration LONGEST_START = Duration.ofSeconds(90);
    private static final Duration LONGEST_END = Duration.ofSeconds(90);
    private static final Pattern READY =
            Pattern.compile("^Postern \\S+ is ready at (http://\\S+?)(/\\S*)? .*\\(home (.*)\\)$", Pattern.MULTILINE);

    private final String title;
    private final Process process;
    private final Path out;
    private final Path err;

    private PosternProcess(String title, Process process, Path out, Path err) {
        this.title = title;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code java -jar} with nothing of this process's environment that Postern would look at. */
    static PosternProcess launch(Path top, int number, List<String> arguments, Map<String, String> environment) {
        List<String> options = new ArrayList<>(ClassDataArchive.options());
        options.add("-Duser.home=" + top);
        options.add("-Djava.io.tmpdir=" + top);
        return launch(
                number + ": " + String.join(" ", arguments), top, number, command(options, arguments), environment);
    }

    /** The command line of the WAR with {@code options} of the JVM and {@code arguments} of Postern. */
    static List<String> command(List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(QUICK_START);
        command.addAll(options);
        command.addAll(List.of("-jar", WAR));
        command.addAll(arguments);
        return command;
    }

    /**
     * The same with a command of the test's own.
     *
     * @param top holds what it says, and is where it runs
     */
    static PosternProcess launch(
            String title, Path top, int number, List<String> command, Map<String, String> environment) {
        Path out = top.resolve(number + ".out");
        Path err = top.resolve(number + ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(top.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("POSTERN_") || name.contains("JAVA"));
        builder.environment().put("HOME", top.toString());
        builder.environment().putAll(environment);
        try {
            return new PosternProcess(title, builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes {@code line} to its standard input, where nothing comes after that. */
    void writeLine(String line) {
        try (OutputStream in = process.getOutputStream()) {
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the ready line is there. */
    PosternProcess awaitReady() {
        await(title + " to be ready")
                .atMost(LONGEST_START)
                .pollInterval(Duration.ofMillis(20))
                .failFast(title + " has ended", () -> !process.isAlive() && !isReady())
                .until(this::isReady);
        return this;
    }

    boolean isReady() {
        return READY.matcher(out()).find();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** How many threads it has for {@code role}, by their names, of which the system keeps 15 characters. */
    long threads(String role) throws IOException {
        String name = ("postern-root-" + role).substring(0, 15);
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return tasks.filter(task -> read(task.resolve("comm")).strip().equals(name))
                    .count();
        }
    }

    /** {@code http://host:port}, from the ready line. */
    URI base() {
        Matcher ready = READY.matcher(out());
        if (!ready.find()) {
            throw new IllegalStateException(title + " is not ready");
        }
        return URI.create(ready.group(1));
    }

    /** Sends requests with {@link HomeFixture#TOKEN}, below {@code /hooks}. */
    HookSender sender() {
        return new HookSender(base().resolve("/hooks/"), HomeFixture.TOKEN);
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGSTOP: it does nothing more, and keeps its connections. */
    void freeze() {
        signal("STOP");
    }

    /** SIGCONT: it goes on where it was, and knows of nothing. */
    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException(title + " can't be sent SIG" + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + title + " was sent SIG" + name, e);
        }
    }

    /** SIGTERM; doesn't wait. */
    void terminate() {
        process.destroy();
    }

    /** SIGTERM; returns the exit code. */
    int stop() {
        terminate();
        return awaitExit();
    }

    /** Waits for the process to end; returns its exit code. */
    int awaitExit() {
        try {
            if (!process.waitFor(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(title + " did not end within " + LONGEST_END);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + title + " was to end", e);
        }
    }

    /** What it has said on standard output so far. */
    String out() {
        return read(out);
    }

    /** What it has said on standard error so far, where its log is. */
    String log() {
        return read(err);
    }

    @Override
    public String toString() {
        return title + (process.isAlive() ? " (running)" : " (exit code " + process.exitValue() + ")");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
