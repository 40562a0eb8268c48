/**
 * The channels: one class for each chat product, and one for webhooks.
 *
 * <p>In: the configured channels, and the messages to be sent. Out: {@link dev.postern.channel.ChannelRegistry}, and what became of
 * each message. Called by: app. The services' interfaces are quoted where they decide something.
 */
@NullMarked
package dev.postern.channel.vendor;

import org.jspecify.annotations.NullMarked;
