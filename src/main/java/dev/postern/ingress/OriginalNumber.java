package dev.postern.ingress;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;

/** A number with a fraction or an exponent that templates show exactly as its sender wrote it. */
final class OriginalNumber extends DecimalNode {

    private final String text;

    private OriginalNumber(BigDecimal value, String text) {
        super(value);
        this.text = text;
    }

    @Override
    public String asText() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    /** A factory of one body's nodes, which asks the body's parser how a number was written. */
    static final class Factory extends JsonNodeFactory {

        private final transient JsonParser parser;

        Factory(JsonParser parser) {
            this.parser = parser;
        }

        @Override
        public ValueNode numberNode(BigDecimal value) {
            try {
                return new OriginalNumber(value, parser.getText());
            } catch (IOException e) {
                throw new UncheckedIOException("reading from memory failed", e);
            }
        }
    }
}
