package dev.postern.backup;

import dev.postern.net.DirectoryTree;
import dev.postern.net.OwnerOnlyFiles;
import dev.postern.store.SqliteInspection;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A verification of a backup, in all that a restore would need. */
public final class BackupVerification {

    private BackupVerification() {}

    /**
     * Verifies each file of the backup {@code file}, and its database as a restore would. The database is unpacked to the
     * JVM's temporary directory meanwhile.
     *
     * @throws BackupException in words for the operator, when {@code file} is no backup or is damaged
     * @throws StoreException in words for the operator, when its database is damaged or this program could not start on it
     */
    public static BackupSummary run(Path file) throws BackupException, StoreException {
        try (BackupReader reader = BackupReader.open(file)) {
            reader.checkFilesButDatabase();
            Path directory = Files.createTempDirectory("postern-verify-");
            directory.toFile().deleteOnExit();
            try {
                requireSpace(
                        directory,
                        reader.database().size(),
                        "verify [" + file + "]",
                        "name another directory with" + " java -Djava.io.tmpdir=DIR -jar postern.war verify");
                Path copy = directory.resolve("postern.db");
                OwnerOnlyFiles.create(copy);
                copy.toFile().deleteOnExit();
                try (OutputStream out = Files.newOutputStream(copy)) {
                    reader.copy(reader.database(), out);
                }
                SqliteInspection inspection = reader.inspect(copy, null);
                return reader.summary(inspection.schemaText());
            } finally {
                DirectoryTree.delete(directory);
            }
        } catch (IOException e) {
            throw BackupException.of("the backup [" + file + "] can't be verified", e);
        }
    }

    /** Rejects an operation that needs more space in {@code directory} than is free there. */
    static void requireSpace(Path directory, long bytes, String what, String instead)
            throws IOException, BackupException {
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < bytes) {
            throw new BackupException("to " + what + " needs " + bytes + " bytes free in [" + directory + "], and "
                    + free + " are; " + instead);
        }
    }
}
