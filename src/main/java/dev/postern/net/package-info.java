/**
 * Shared code for external services and the file system.
 *
 * <p>In: an executor for the events of connections, requests, response headers, paths. Out: an HTTP client, bounded bodies,
 * access tokens, pauses, files with restricted permissions. Called by: agent, channel, config, heartbeat, mail, store.
 * Imports: model.
 */
@NullMarked
package dev.postern.net;

import org.jspecify.annotations.NullMarked;
