/**
 * Shared code for external services, the file system and threads.
 *
 * <p>In: an executor for the events of connections, requests, response headers, paths. Out: an HTTP client, bounded bodies,
 * access tokens, pauses, files with restricted permissions. Called by: agent, app, backup, channel, config, heartbeat, http,
 * mail, store. Imports: model.
 */
@NullMarked
package dev.postern.net;

import org.jspecify.annotations.NullMarked;
