package dev.postern.console;

/**
 * A problem of this Postern that an operator should look at.
 *
 * @param sentence the problem, in words for the operator
 * @param place the address below {@code /console/} that shows more
 */
record Alert(String sentence, String place) {}
