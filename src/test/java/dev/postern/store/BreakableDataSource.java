package dev.postern.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * A source of PostgreSQL connections whose commit can be made to reach the server while the response gets lost with the
 * connection.
 */
public final class BreakableDataSource {

    private final AtomicBoolean breaks = new AtomicBoolean();
    private final List<Statement> statements = new CopyOnWriteArrayList<>();
    private final String url;

    public BreakableDataSource() {
        this(TestDatabases.newPostgresUrl());
    }

    BreakableDataSource(String url) {
        this.url = url;
    }

    /** Makes commits break from now on, or stops that. */
    public void breakAtCommit(boolean value) {
        breaks.set(value);
    }

    /** The statements that were prepared so far. */
    List<Statement> statements() {
        return List.copyOf(statements);
    }

    /** The DataSource that gives these connections. */
    public DataSource source() {
        return proxy(DataSource.class, TestDatabases.postgresSource(url), (name, result) -> {
            if (!(result instanceof Connection connection)) {
                return result;
            }
            return proxy(Connection.class, connection, (method, answer) -> {
                if (method.equals("commit") && breaks.get()) {
                    connection.close();
                    throw new SQLException("the wire broke");
                }
                if (method.equals("prepareStatement")) {
                    statements.add((Statement) answer);
                }
                return answer;
            });
        });
    }

    interface ResultInterceptor {
        Object then(String method, Object result) throws SQLException;
    }

    static <T> T proxy(Class<T> type, T target, ResultInterceptor resultInterceptor) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return resultInterceptor.then(method.getName(), method.invoke(target, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
