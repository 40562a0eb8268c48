/**
 * Servers from their own distributions, each a process, with the WAR deployed as {@code deploy-descriptors/} describes.
 *
 * <p>In: {@code arquillian.launch}, which names a server. Out: Arquillian's container for it, and {@link
 * dev.postern.it.server.RunningServer}, by which a test sees its log and its MBeans. Each server has its own
 * {@link dev.postern.it.server.Distribution}.
 */
package dev.postern.it.server;
