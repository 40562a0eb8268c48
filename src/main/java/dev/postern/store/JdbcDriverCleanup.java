package dev.postern.store;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;

/** DriverManager holds each driver for the life of the process, and with it the web app that it came with. */
final class JdbcDriverCleanup {

    private JdbcDriverCleanup() {}

    /** The driver called {@code name} that came with this web app, since DriverManager does not find it on every server. */
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
     * Takes back the registrations of drivers that came with this web app; those of the process itself stay. Done twice: to
     * see whose a driver is, DriverManager loads the class of its name here, and such a class registers itself.
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
