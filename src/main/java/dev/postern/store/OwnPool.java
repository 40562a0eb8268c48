package dev.postern.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postern.model.Secret;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool for a PostgreSQL URL, where the server binds none. The driver's class is named, since DriverManager does not
 * find a driver inside a web app on every server. What the URL's own parameters say wins.
 */
final class OwnPool {

    private static final int CONNECTIONS = 6;
    private static final int PATIENCE_MILLIS = 1_000;

    /** Time-outs in seconds; the server's details are left out of messages, since they quote rows. */
    private static final Map<String, String> DRIVER = Map.of(
            "connectTimeout", "1",
            "socketTimeout", "2",
            "tcpKeepAlive", "true",
            "reWriteBatchedInserts", "true",
            "logServerErrorDetail", "false",
            "ApplicationName", "postern");

    private OwnPool() {}

    /** Opens a pool and one connection; fails with what the server or the driver says. */
    static HikariDataSource open(String url, @Nullable String username, @Nullable Secret password, String name)
            throws StoreException {
        try {
            return new HikariDataSource(config(url, username, password, name));
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw NotNow.orNever("cannot open the database [" + withoutQuery(url) + "]: " + cause.getMessage(), e);
        }
    }

    private static HikariConfig config(String url, @Nullable String username, @Nullable Secret password, String name) {
        HikariConfig config = new HikariConfig();
        config.setDriverClassName("org.postgresql.Driver");
        config.setJdbcUrl(url);
        config.setUsername(username);
        config.setPassword(password == null ? null : password.reveal());
        DRIVER.forEach(config::addDataSourceProperty);
        config.setPoolName(name);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        config.setValidationTimeout(PATIENCE_MILLIS / 2);
        return config;
    }

    /** {@code url} as it may stand in a message: a query part may hold a password. */
    static String withoutQuery(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }
}
