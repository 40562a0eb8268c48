package dev.postern.it.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A factory of homes for tests. When the test or the class is over, it ends all processes on them and deletes the
 * homes. If something failed, it keeps them and prints their logs.
 */
final class HomeFixtureExtension implements AfterEachCallback, AfterAllCallback {

    private static final Path IT = Path.of(System.getProperty("it.directory", "target/it"))
            .resolve("standalone")
            .toAbsolutePath();

    private final boolean eachTest;
    private final List<HomeFixture> homes = new CopyOnWriteArrayList<>();
    private boolean failed;

    private HomeFixtureExtension(boolean eachTest) {
        this.eachTest = eachTest;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> homes.forEach(HomeFixture::end)));
    }

    /** For a field: each test has homes of its own. */
    static HomeFixtureExtension ofTest() {
        return new HomeFixtureExtension(true);
    }

    /** For a static field: the tests of a class share its homes. */
    static HomeFixtureExtension ofClass() {
        return new HomeFixtureExtension(false);
    }

    /** A home that isn't there yet, in a directory of its own. */
    HomeFixture newHome() {
        try {
            HomeFixture home = new HomeFixture(Files.createTempDirectory(Files.createDirectories(IT), "home-"));
            homes.add(home);
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        failed |= context.getExecutionException().isPresent();
        if (eachTest) {
            end();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        failed |= context.getExecutionException().isPresent();
        end();
    }

    private void end() throws IOException {
        for (HomeFixture home : homes) {
            home.end();
            if (failed) {
                System.err.println(home.logs());
            } else {
                delete(home.top());
            }
        }
        homes.clear();
        failed = false;
    }

    /** Deletes {@code tree}, if it is there. */
    static void delete(Path tree) throws IOException {
        if (Files.notExists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
