package dev.postern.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The report of the long tests: what each has measured, once it has passed. The profile {@code proof} names the file; without
 * it nothing is written.
 */
public final class ProofReport {

    private static final String FILE = System.getProperty("it.proof.report");

    private ProofReport() {}

    /**
     * Adds what a test that has passed has measured.
     *
     * @param part the part of the proof, as {@code -Dproof} names it
     * @param figures a sentence without a full stop
     */
    public static void add(String part, String figures) {
        if (FILE == null) {
            return;
        }
        Path file = Path.of(FILE);
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel report = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                report.lock(); // until it is closed
                String head = report.size() == 0 ? head() : "";
                String line = "| " + part + " | " + figures.strip().replace("|", "/") + " |\n";
                report.write(ByteBuffer.wrap((head + line).getBytes(StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commit() throws IOException {
        Process git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start();
        String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return commit.isEmpty() ? "unknown" : commit;
    }

    private static String head() throws IOException {
        return "# What the long tests have measured\n\nCommit " + commit() + ", "
                + Instant.now().truncatedTo(ChronoUnit.MINUTES) + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, Java "
                + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                + ". A part is here once its test has passed.\n\n| part | figures |\n|---|---|\n";
    }
}
