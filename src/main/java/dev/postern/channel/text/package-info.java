/**
 * Converts a reply's Markdown into a channel's markup, and splits it at the channel's limit.
 *
 * <p>In: Markdown. Out: the messages' texts, and files of long code. Called by: channel.
 */
@NullMarked
package dev.postern.channel.text;

import org.jspecify.annotations.NullMarked;
