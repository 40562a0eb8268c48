package dev.postern.it.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.awaitility.Awaitility;

/** A reader of a home's SQLite database, with the driver from the WAR. */
final class HomeDatabase implements AutoCloseable {

    private static final String DRIVER_JAR = "WEB-INF/lib/sqlite-jdbc-[0-9.]+\\.jar";

    private final Connection connection;

    private HomeDatabase(Connection connection) {
        this.connection = connection;
    }

    static HomeDatabase open(Path file) {
        try {
            HomeDatabase database =
                    new HomeDatabase(LoadedDriver.DRIVER.connect("jdbc:sqlite:" + file, new Properties()));
            database.column("PRAGMA query_only = 1");
            database.column("PRAGMA busy_timeout = 5000");
            return database;
        } catch (SQLException e) {
            throw new IllegalStateException(file + " can't be opened", e);
        }
    }

    /** Waits until no run and no delivery is under way. */
    void awaitIdle(Duration longest) {
        Awaitility.await("idle")
                .atMost(longest)
                .until(
                        () -> column("SELECT id FROM delivery WHERE state = 'pending'"
                                + " UNION ALL SELECT id FROM run WHERE state IN ('queued', 'running')"),
                        List::isEmpty);
    }

    /** The first column of what {@code sql} finds. */
    List<String> column(String sql) {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        values.add(rows.getString(1));
                    }
                }
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + " failed", e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("the database can't be closed", e);
        }
    }

    /** A holder of the driver, which is loaded once: a process can't load a native library twice. */
    private static final class LoadedDriver {

        static final Driver DRIVER = load();

        private static Driver load() {
            Path war = Path.of(System.getProperty("it.war", "target/postern.war"));
            Path directory = Path.of(System.getProperty("it.directory", "target/it"));
            try (JarFile jar = new JarFile(war.toFile())) {
                JarEntry entry = jar.stream()
                        .filter(each -> each.getName().matches(DRIVER_JAR))
                        .findFirst()
                        .orElseThrow();
                Path file = Files.createTempFile(Files.createDirectories(directory), "sqlite-jdbc-", ".jar");
                file.toFile().deleteOnExit();
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.write(file, in.readAllBytes());
                }
                System.setProperty("org.sqlite.tmpdir", directory.toString());
                URLClassLoader loader =
                        new URLClassLoader(new URL[] {file.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
                return (Driver) loader.loadClass("org.sqlite.JDBC")
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the WAR's SQLite driver can't be loaded", e);
            }
        }
    }
}
