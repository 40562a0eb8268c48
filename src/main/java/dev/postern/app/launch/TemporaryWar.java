package dev.postern.app.launch;

import dev.postern.model.FileErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A WAR that is unpacked in the directory for temporary files for one command. It is deleted when the command ends, or when
 * the process is interrupted.
 */
final class TemporaryWar implements AutoCloseable {

    private static final String PROPERTY = "java.io.tmpdir";

    private final Path folder;
    private final UnpackedWar unpacked;

    private TemporaryWar(Path folder, UnpackedWar unpacked) {
        this.folder = folder;
        this.unpacked = unpacked;
    }

    /**
     * Unpacks {@code war}.
     *
     * @throws IOException in words for the operator, if it can't be unpacked
     */
    static TemporaryWar of(Path war) throws IOException {
        Path parent = Path.of(System.getProperty(PROPERTY, ""));
        try {
            Path folder = Files.createTempDirectory(parent, "postern-");
            // The interruption waits for the unpacking, which would otherwise go on beside the deletion.
            synchronized (TemporaryWar.class) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteInterrupted(folder), "postern-cleanup"));
                return new TemporaryWar(folder, UnpackedWar.of(war, folder));
            }
        } catch (IOException e) {
            throw new IOException(
                    "the directory for temporary files, " + parent + " (system property " + PROPERTY
                            + "), can't be written: " + FileErrorText.of(e),
                    e);
        }
    }

    UnpackedWar unpacked() {
        return unpacked;
    }

    @Override
    public void close() throws IOException {
        delete(folder);
    }

    private static void deleteInterrupted(Path folder) {
        try {
            delete(folder);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("postern: " + folder + " can't be deleted: " + e.getMessage());
        }
    }

    private static synchronized void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            UnpackedWar.delete(folder);
        }
    }
}
