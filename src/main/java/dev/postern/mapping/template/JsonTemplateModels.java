package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import freemarker.template.SimpleScalar;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateCollectionModel;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateHashModelEx2;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateModelIterator;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import freemarker.template.TemplateSequenceModel;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The FreeMarker models of JSON values. Every value, even a string or a number, can be asked for a field and has none. A
 * path that goes on where the payload ends is therefore a missing value and not an error.
 */
final class JsonTemplateModels {

    /** The stand-in for a missing value where one is needed: empty, zero, false, without items and fields. */
    static final TemplateModel NONE = new None();

    private JsonTemplateModels() {}

    /** The model of a value; null for an absent value and for JSON's null. */
    static @Nullable TemplateModel of(@Nullable JsonNode node, RenderBudget renderBudget) {
        if (node == null || node.isNull() || node.isMissingNode()) {
            return null;
        }
        if (node.isObject()) {
            return new Fields(node, renderBudget);
        }
        if (node.isArray()) {
            return new Items(node, renderBudget);
        }
        if (node.isNumber()) {
            return new Numeral(node);
        }
        return node.isBoolean() ? new Truth(node) : new Words(node);
    }

    /** A value of the request. */
    interface Json extends TemplateHashModel {

        JsonNode node();

        @Override
        default @Nullable TemplateModel get(String key) {
            return null;
        }

        @Override
        default boolean isEmpty() {
            return false;
        }
    }

    private record Words(JsonNode node) implements Json, TemplateScalarModel {

        @Override
        public String getAsString() {
            return node.asText();
        }

        @Override
        public boolean isEmpty() {
            return node.asText().isEmpty();
        }
    }

    private record Truth(JsonNode node) implements Json, TemplateBooleanModel {

        @Override
        public boolean getAsBoolean() {
            return node.booleanValue();
        }
    }

    private record Numeral(JsonNode node) implements Json, TemplateNumberModel {

        @Override
        public Number getAsNumber() throws TemplateModelException {
            Number number = node.numberValue();
            if (number instanceof BigDecimal decimal && DecimalArithmetic.isHuge(decimal)) {
                throw new RenderException("A number with so large an exponent can be shown, but not used otherwise.");
            }
            return number;
        }
    }

    private record Items(JsonNode node, RenderBudget budget) implements Json, TemplateSequenceModel {

        @Override
        public @Nullable TemplateModel get(int index) {
            budget.tick();
            return of(node.get(index), budget);
        }

        @Override
        public int size() {
            return node.size();
        }

        @Override
        public boolean isEmpty() {
            return node.isEmpty();
        }
    }

    /** An object of the request. */
    record Fields(JsonNode node, RenderBudget budget) implements Json, TemplateHashModelEx2 {

        @Override
        public @Nullable TemplateModel get(String key) {
            return of(node.get(key), budget);
        }

        @Override
        public int size() {
            return node.size();
        }

        @Override
        public boolean isEmpty() {
            return node.isEmpty();
        }

        @Override
        public TemplateCollectionModel keys() {
            return new Each<>(node.properties(), field -> new SimpleScalar(field.getKey()), budget);
        }

        @Override
        public TemplateCollectionModel values() {
            return new Each<>(node.properties(), field -> of(field.getValue(), budget), budget);
        }

        @Override
        public KeyValuePairIterator keyValuePairIterator() {
            Iterator<Map.Entry<String, JsonNode>> fields = node.properties().iterator();
            return new KeyValuePairIterator() {
                @Override
                public boolean hasNext() {
                    return fields.hasNext();
                }

                @Override
                public KeyValuePair next() {
                    budget.tick();
                    Map.Entry<String, JsonNode> field = fields.next();
                    return new KeyValuePair() {
                        @Override
                        public TemplateModel getKey() {
                            return new SimpleScalar(field.getKey());
                        }

                        @Override
                        public @Nullable TemplateModel getValue() {
                            return of(field.getValue(), budget);
                        }
                    };
                }
            };
        }
    }

    /** The headers of the request, found by name in any case. */
    record Headers(Fields fields, TemplateInput input) implements Json, TemplateHashModelEx2 {

        @Override
        public JsonNode node() {
            return fields.node();
        }

        @Override
        public @Nullable TemplateModel get(String key) {
            return of(input.header(key), fields.budget());
        }

        @Override
        public int size() {
            return fields.size();
        }

        @Override
        public boolean isEmpty() {
            return fields.isEmpty();
        }

        @Override
        public TemplateCollectionModel keys() {
            return fields.keys();
        }

        @Override
        public TemplateCollectionModel values() {
            return fields.values();
        }

        @Override
        public KeyValuePairIterator keyValuePairIterator() {
            return fields.keyValuePairIterator();
        }
    }

    private interface Shape<T> {
        @Nullable
        TemplateModel of(T element);
    }

    private record Each<T>(Iterable<T> elements, Shape<T> shape, RenderBudget budget)
            implements TemplateCollectionModel {

        @Override
        public TemplateModelIterator iterator() {
            Iterator<T> rest = elements.iterator();
            return new TemplateModelIterator() {
                @Override
                public boolean hasNext() {
                    return rest.hasNext();
                }

                @Override
                public @Nullable TemplateModel next() {
                    budget.tick();
                    return shape.of(rest.next());
                }
            };
        }
    }

    private static final class None
            implements TemplateScalarModel,
                    TemplateNumberModel,
                    TemplateBooleanModel,
                    TemplateSequenceModel,
                    TemplateHashModelEx2 {

        @Override
        public String getAsString() {
            return "";
        }

        @Override
        public Number getAsNumber() {
            return 0;
        }

        @Override
        public boolean getAsBoolean() {
            return false;
        }

        @Override
        public @Nullable TemplateModel get(int index) {
            return null;
        }

        @Override
        public @Nullable TemplateModel get(String key) {
            return null;
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public TemplateCollectionModel keys() {
            return freemarker.template.utility.Constants.EMPTY_COLLECTION;
        }

        @Override
        public TemplateCollectionModel values() {
            return freemarker.template.utility.Constants.EMPTY_COLLECTION;
        }

        @Override
        public KeyValuePairIterator keyValuePairIterator() {
            return freemarker.template.utility.Constants.EMPTY_KEY_VALUE_PAIR_ITERATOR;
        }
    }
}
