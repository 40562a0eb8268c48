package dev.postern.store;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;

/**
 * A cleanup of the JDBC drivers that came with this web app. DriverManager holds each driver, and with it the web app's
 * class loader, for the life of the process.
 */
final class JdbcDriverCleanup {

    private JdbcDriverCleanup() {}

    /**
     * Loads the driver {@code name} that came with this web app, because DriverManager does not find it on every
     * server.
     */
    static Driver load(String name) {
        try {
            return Class.forName(name)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is missing from this build", e);
        }
    }

    /**
     * Deregisters the drivers that came with this web app; those of the process itself stay. It does so twice: to check
     * who owns a driver, DriverManager loads the class of that name here, and such a class registers itself.
     */
    static void deregisterOurs() throws SQLException {
        ClassLoader ours = JdbcDriverCleanup.class.getClassLoader();
        if (ours == ClassLoader.getSystemClassLoader()) {
            return;
        }
        for (int round = 0; round < 2; round++) {
            for (Driver driver : Collections.list(DriverManager.getDrivers())) {
                if (driver.getClass().getClassLoader() == ours) {
                    DriverManager.deregisterDriver(driver);
                }
            }
        }
    }
}
