/**
 * A database with a migrated schema, transactions and a group commit.
 *
 * <p>In: a DataSource, or a directory for SQLite. Out: reads, and writes that return once they are on disk. Called by:
 * acceptance, agent, channel, dispatch, app. Imports: model.
 */
@NullMarked
package dev.postern.store;

import org.jspecify.annotations.NullMarked;
