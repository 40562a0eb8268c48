/**
 * Backups of a home: its database, its configuration and its secrets in one file.
 *
 * <p>In: a home, or a backup. Out: a backup, a restored home, or the reasons why not. Called by: app. Imports: store.
 */
@NullMarked
package dev.postern.backup;

import org.jspecify.annotations.NullMarked;
