package dev.postern.it.standalone;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of some megabytes in memory, mounted on a directory until it is closed. */
final class SmallDisk implements AutoCloseable {

    private static final byte[] ZEROS = new byte[1 << 18];

    private final Path directory;
    private final Path rest;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.rest = directory.resolve("rest");
    }

    /** Mounts one on {@code directory}, which is made. Skips the test where mounts are not allowed. */
    static SmallDisk mount(Path directory, int megabytes) throws IOException {
        Files.createDirectories(directory);
        String options = "size=" + megabytes + "m,mode=0700";
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString()) == 0, "mounts are allowed");
        return new SmallDisk(directory);
    }

    /** Leaves {@code left} bytes free at most; others may write meanwhile. */
    void fill(long left) throws IOException {
        try (OutputStream out = Files.newOutputStream(rest, CREATE, APPEND)) {
            for (long free = free(); free > left; free = free()) {
                out.write(ZEROS, 0, (int) Math.min(free - left, ZEROS.length));
            }
        } catch (IOException fullMeanwhile) {
            assertThat(fullMeanwhile).hasMessageContaining("No space left");
        }
    }

    /** Makes the room that there was before it was filled. */
    void makeRoom() throws IOException {
        Files.delete(rest);
    }

    private long free() throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", "--lazy", directory.toString())).isZero();
    }

    private static int run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        return process.onExit().orTimeout(10, TimeUnit.SECONDS).join().exitValue();
    }
}
