package dev.postern.it.standalone;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A PostgreSQL distribution that comes with the build and asks for no password. */
final class EmbeddedPostgresDistribution implements PostgresServer.PostgresDistribution {

    private static final Path UNPACKED =
            Path.of(System.getProperty("it.directory", "target/it"), "postgres").toAbsolutePath();

    @Override
    public Path directory() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(UNPACKED), "server-");
    }

    @Override
    public Closeable start(Path data, int port, Map<String, String> configuration) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(UNPACKED.toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port);
        configuration.forEach(builder::setServerConfig);
        return builder.start();
    }
}
