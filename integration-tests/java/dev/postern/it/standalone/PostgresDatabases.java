package dev.postern.it.standalone;

import java.sql.SQLException;
import java.util.List;

/** The databases of a PostgreSQL, whichever server has them. */
interface PostgresDatabases {

    /** Makes the role {@code name}, with its name as its password, and its database of the same name. */
    void database(String name) throws SQLException;

    String url(String database);

    /** The first column of what {@code sql} finds in {@code database}. */
    List<String> column(String database, String sql) throws SQLException;
}
