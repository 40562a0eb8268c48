package dev.postern.mapping.template;

/** A position in a template: line and column, both counted from 1. */
record TemplatePosition(int line, int column) implements Comparable<TemplatePosition> {

    static final TemplatePosition START = new TemplatePosition(1, 1);

    @Override
    public int compareTo(TemplatePosition other) {
        return line == other.line ? Integer.compare(column, other.column) : Integer.compare(line, other.line);
    }
}
