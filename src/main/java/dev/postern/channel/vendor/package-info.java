/**
 * The channels: one class for each chat product and each service with comments, and one for webhooks.
 *
 * <p>In: the configured channels, and the messages to send. Out: {@link dev.postern.channel.ChannelRegistry}, and the
 * outcome of each message. Called by: app. The services' API documents are cited where the code depends on them.
 */
@NullMarked
package dev.postern.channel.vendor;

import org.jspecify.annotations.NullMarked;
