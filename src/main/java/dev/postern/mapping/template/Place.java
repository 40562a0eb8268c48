package dev.postern.mapping.template;

/** Where something stands in a template, both counted from 1. */
record Place(int line, int column) implements Comparable<Place> {

    static final Place START = new Place(1, 1);

    @Override
    public int compareTo(Place other) {
        return line == other.line ? Integer.compare(column, other.column) : Integer.compare(line, other.line);
    }
}
