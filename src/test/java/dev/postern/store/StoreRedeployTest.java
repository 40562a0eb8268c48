package dev.postern.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.WebAppLoader;
import dev.postern.model.Secret;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a web app with its own copy of all classes, as a server loads it again and again. */
class StoreRedeployTest {

    @TempDir
    Path home;

    @Test
    void leavesNoDriverBehindAndNoClassLoaderOnSqlite() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertLeavesNothing("");
        }
    }

    @Test
    void leavesNoDriverBehindAndNoClassLoaderOnPostgresql() throws Exception {
        String url = TestDatabases.newPostgresUrl();
        for (int i = 0; i < 3; i++) {
            assertLeavesNothing(url);
        }
    }

    @Test
    void leavesNothingBehindEitherWhenTheDatabaseCannotBeClosed() throws Exception {
        assertLeavesNothing("moves away");
    }

    private void assertLeavesNothing(String url) throws Exception {
        WeakReference<ClassLoader> webApp = deployAndUndeploy(url);

        Awaitility.await().pollInSameThread().until(() -> {
            System.gc();
            return webApp.refersTo(null);
        });
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("postern-redeploy"));
    }

    private WeakReference<ClassLoader> deployAndUndeploy(String url) throws Exception {
        return WebAppLoader.around(WebApp.class, app -> assertThat(app.apply(List.of(home.toString(), url)))
                .isEmpty());
    }

    /** A web app that opens a store, uses it and closes it; it returns the drivers that its own class loader leaves registered. */
    public static final class WebApp implements UnaryOperator<List<String>> {

        @Override
        public List<String> apply(List<String> homeAndUrl) {
            Path home = Path.of(homeAndUrl.get(0));
            String url = homeAndUrl.get(1);
            InstantSource clock = InstantSource.system();
            try (Store store = url.startsWith("jdbc:")
                    ? Store.open(url, "postgres", new Secret("postgres"), home, "redeploy", clock)
                    : Store.open(home, "redeploy", clock)) {
                store.writeAndWait(sql -> sql.update("UPDATE node SET seen_at = 1"));
                store.read(sql -> sql.query("SELECT id FROM node", row -> row.text("id")));
                if (url.equals("moves away")) {
                    Files.move(home.resolve("data"), home.resolve("elsewhere"));
                }
            } catch (StoreException | IOException e) {
                throw new IllegalStateException(e);
            }
            return Collections.list(DriverManager.getDrivers()).stream()
                    .map(Driver::getClass)
                    .filter(driver -> driver.getClassLoader() == WebApp.class.getClassLoader())
                    .map(Class::getName)
                    .toList();
        }
    }
}
