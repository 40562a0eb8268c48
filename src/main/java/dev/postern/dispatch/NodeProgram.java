package dev.postern.dispatch;

/**
 * The program that a node runs, as it tells the other nodes.
 *
 * @param version Postern's version
 * @param mostTurns the most turns that the node runs at once
 */
record NodeProgram(String version, int mostTurns) {}
