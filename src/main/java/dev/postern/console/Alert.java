package dev.postern.console;

/**
 * Something that needs a person.
 *
 * @param sentence says what
 * @param place where there is more to be seen, below {@code /console/}
 */
record Alert(String sentence, String place) {}
