package dev.postern.agent;

import dev.postern.model.Provenance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of one turn as a backend gets it. It is created only here, from the operator's own words and from untrusted
 * content. So this is the one place that puts the {@link Boundary} around untrusted content: last, after all other changes.
 */
public final class PromptText {

    private final String text;
    private final String fromOutside;

    private PromptText(String text, String fromOutside) {
        this.text = text;
        this.fromOutside = fromOutside;
    }

    /** A sender's message, preceded by the operator's instructions for it; null if there are none. */
    public static PromptText of(Provenance provenance, String message, @Nullable String instructions) {
        Builder builder = new Builder();
        if (instructions != null) {
            builder.addOperatorText(instructions);
        }
        return builder.addExternalText(provenance, message).build();
    }

    /** The text for the model. */
    public String text() {
        return text;
    }

    /** Only the content from outside, unchanged: for showing it to people, never for a model. */
    public String fromOutside() {
        return fromOutside;
    }

    /** Only the length: the text may be private. */
    @Override
    public String toString() {
        return "PromptText[" + text.length() + " characters]";
    }

    /** A builder that joins texts, each on lines of its own. */
    public static final class Builder {

        private final List<String> parts = new ArrayList<>();
        private final List<String> outside = new ArrayList<>();
        private boolean warned;

        /** Adds words of the operator or of Postern. */
        public Builder addOperatorText(String words) {
            parts.add(words);
            return this;
        }

        /** Adds content from {@code provenance}, inside the boundary unless the operator trusts its source. */
        public Builder addExternalText(Provenance provenance, String words) {
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
