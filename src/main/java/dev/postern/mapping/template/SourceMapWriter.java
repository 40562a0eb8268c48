package dev.postern.mapping.template;

import java.util.NavigableMap;
import java.util.TreeMap;

/** A writer of the guarded template, which records where each part stood in the original. */
final class SourceMapWriter {

    private final StringBuilder text = new StringBuilder();
    private final NavigableMap<TemplatePosition, TemplatePosition> origins = new TreeMap<>();
    private int line = 1;
    private int lineStart;

    /** Records that the next part comes from {@code origin}. */
    SourceMapWriter at(TemplatePosition origin) {
        origins.put(new TemplatePosition(line, text.length() - lineStart + 1), origin);
        return this;
    }

    SourceMapWriter add(String part) {
        for (int i = part.indexOf('\n'); i >= 0; i = part.indexOf('\n', i + 1)) {
            line++;
            lineStart = text.length() + i + 1;
        }
        text.append(part);
        return this;
    }

    String text() {
        return text.toString();
    }

    /** The map from positions in the written text to the original ones. */
    Origins origins() {
        return new Origins(origins);
    }

    /** A map from positions in the guarded template to positions in the original. */
    record Origins(NavigableMap<TemplatePosition, TemplatePosition> places) {

        TemplatePosition of(int line, int column) {
            var nearest = places.floorEntry(new TemplatePosition(line, column));
            return nearest == null ? TemplatePosition.START : nearest.getValue();
        }
    }
}
