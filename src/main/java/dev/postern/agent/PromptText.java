package dev.postern.agent;

import dev.postern.model.Provenance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of one turn as a backend gets it. It is made here and nowhere else, from the operator's own words and from
 * a stranger's, so that this is the one place where the {@link Boundary} is put around a stranger's text: last, when
 * everything else has been done to it.
 */
public final class PromptText {

    private final String text;
    private final String fromOutside;

    private PromptText(String text, String fromOutside) {
        this.text = text;
        this.fromOutside = fromOutside;
    }

    /** A stranger's message, and before it what the operator says to it; null where he says nothing. */
    public static PromptText of(Provenance provenance, String message, @Nullable String instructions) {
        Builder builder = new Builder();
        if (instructions != null) {
            builder.own(instructions);
        }
        return builder.outside(provenance, message).build();
    }

    /** What a model is to read. */
    public String text() {
        return text;
    }

    /** Only what came from outside, as it came: for showing it to a person, never for a model. */
    public String fromOutside() {
        return fromOutside;
    }

    /** Nothing of the text, which may be private. */
    @Override
    public String toString() {
        return "PromptText[" + text.length() + " characters]";
    }

    /** Puts a text together, part after part, each on lines of its own. */
    public static final class Builder {

        private final List<String> parts = new ArrayList<>();
        private final List<String> outside = new ArrayList<>();
        private boolean warned;

        /** Adds the operator's own words, or the program's. */
        public Builder own(String words) {
            parts.add(words);
            return this;
        }

        /** Adds a text that came in from {@code provenance}, inside the boundary unless the operator trusts its source. */
        public Builder outside(Provenance provenance, String words) {
            outside.add(words);
            if (provenance.trusted()) {
                parts.add(words);
                return this;
            }
            if (!warned) {
                warned = true;
                parts.add(Boundary.WARNING);
            }
            parts.add(Boundary.around(provenance, words));
            return this;
        }

        public PromptText build() {
            return new PromptText(String.join("\n", parts), String.join("\n", outside));
        }
    }
}
