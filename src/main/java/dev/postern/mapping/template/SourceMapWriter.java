package dev.postern.mapping.template;

import java.util.NavigableMap;
import java.util.TreeMap;

/** A guarded template as it is written, with a note of where each of its parts stood in the original. */
final class SourceMapWriter {

    private final StringBuilder text = new StringBuilder();
    private final NavigableMap<TemplatePosition, TemplatePosition> origins = new TreeMap<>();
    private int line = 1;
    private int lineStart;

    /** What is added next comes from {@code origin}. */
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

    /** Maps a place of the listing back. */
    Origins origins() {
        return new Origins(origins);
    }

    /** From where to where. */
    record Origins(NavigableMap<TemplatePosition, TemplatePosition> places) {

        TemplatePosition of(int line, int column) {
            var nearest = places.floorEntry(new TemplatePosition(line, column));
            return nearest == null ? TemplatePosition.START : nearest.getValue();
        }
    }
}
