package dev.postern.mapping.template;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import freemarker.core.Environment;
import freemarker.core.TemplateValueFormatException;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateCollectionModel;
import freemarker.template.TemplateDateModel;
import freemarker.template.TemplateHashModelEx;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateModelIterator;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import freemarker.template.TemplateSequenceModel;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * A formatter of values: strings as they are, numbers as they were sent, dates in ISO 8601, nothing for null, objects and
 * arrays as compact JSON.
 */
final class ValueFormatter {

    private static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newBoundedPool(4))
            .build();

    /** The most digits of a number that is written without an exponent; the parser takes at most 1000 such digits. */
    private static final int MAX_DIGITS = 1_100;

    private ValueFormatter() {}

    static boolean isNothing(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode();
    }

    /** Formats {@code node}. Stops the rendering if the text is longer than a rendering may hold. */
    static String of(@Nullable JsonNode node) {
        if (node == null || isNothing(node)) {
            return "";
        }
        if (node.isNumber()) {
            return number(node);
        }
        if (node.isValueNode()) {
            return node.asText();
        }
        BoundedWriter text = new BoundedWriter(RenderBudget.MAX_TEXT);
        ValueFormatter.<RuntimeException>write(text, generator -> write(generator, node));
        return text.toString();
    }

    /** Formats a value of the request, or one that the template has made. */
    static String of(@Nullable TemplateModel model) throws TemplateModelException {
        if (model == null || model == JsonTemplateModels.NONE) {
            return "";
        }
        if (model instanceof JsonTemplateModels.Json sent) {
            return of(sent.node());
        }
        if (model instanceof TemplateScalarModel scalar) {
            return scalar.getAsString();
        }
        if (model instanceof TemplateNumberModel number) {
            return number(number.getAsNumber());
        }
        if (model instanceof TemplateBooleanModel bool) {
            return Boolean.toString(bool.getAsBoolean());
        }
        if (model instanceof TemplateDateModel date) {
            return moment(date);
        }
        BoundedWriter text = new BoundedWriter(RenderBudget.MAX_TEXT);
        ValueFormatter.<TemplateModelException>write(text, generator -> write(generator, model));
        return text.toString();
    }

    /**
     * Formats a number without an exponent, unless it would be longer than any number that can be sent without one. A node
     * of a class other than Jackson's own is formatted by its {@link JsonNode#asText()}.
     */
    static String number(JsonNode node) {
        if (node.getClass() == DecimalNode.class) {
            return number(node.decimalValue());
        }
        if (node.getClass() == BigIntegerNode.class) {
            return node.bigIntegerValue().toString();
        }
        boolean binary = node.getClass() == DoubleNode.class || node.getClass() == FloatNode.class;
        return binary && Double.isFinite(node.doubleValue()) ? number(new BigDecimal(node.asText())) : node.asText();
    }

    static String number(Number number) {
        return number instanceof BigDecimal decimal ? number(decimal) : number.toString();
    }

    private static String number(BigDecimal number) {
        return (long) number.precision() + Math.abs((long) number.scale()) <= MAX_DIGITS
                ? number.toPlainString()
                : number.toString();
    }

    private static String moment(TemplateDateModel date) throws TemplateModelException {
        try {
            return Environment.getCurrentEnvironment()
                    .getTemplateDateFormat(date.getDateType(), Date.class)
                    .formatToPlainText(date);
        } catch (TemplateValueFormatException e) {
            throw new RenderException("A date needs a format here, such as ?string(\"yyyy-MM-dd\").");
        }
    }

    /** A writer of one value. */
    private interface Content<E extends Exception> {
        void to(JsonGenerator generator) throws IOException, E;
    }

    private static <E extends Exception> void write(Writer target, Content<E> content) throws E {
        try (JsonGenerator generator = JSON.createGenerator(target)) {
            generator.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            content.to(generator);
        } catch (StreamConstraintsException e) {
            throw new BudgetExceededException(GuardedBody.TOO_DEEP);
        } catch (IOException e) {
            throw new IllegalStateException("a value could not be written as JSON", e);
        }
    }

    private static void write(JsonGenerator generator, JsonNode node) throws IOException {
        if (node.isObject()) {
            generator.writeStartObject();
            for (var field : node.properties()) {
                generator.writeFieldName(field.getKey());
                write(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (node.isArray()) {
            generator.writeStartArray();
            for (JsonNode item : node) {
                write(generator, item);
            }
            generator.writeEndArray();
        } else if (node.isNumber()) {
            generator.writeNumber(number(node));
        } else if (node.isBoolean()) {
            generator.writeBoolean(node.booleanValue());
        } else if (node.isNull()) {
            generator.writeNull();
        } else {
            generator.writeString(node.asText());
        }
    }

    private static void write(JsonGenerator generator, @Nullable TemplateModel model)
            throws IOException, TemplateModelException {
        if (model instanceof JsonTemplateModels.Json value) {
            write(generator, value.node());
        } else if (model == null || model == JsonTemplateModels.NONE) {
            generator.writeNull();
        } else if (model instanceof TemplateNumberModel number) {
            generator.writeNumber(number(number.getAsNumber()));
        } else if (model instanceof TemplateScalarModel scalar) {
            generator.writeString(scalar.getAsString());
        } else if (model instanceof TemplateBooleanModel bool) {
            generator.writeBoolean(bool.getAsBoolean());
        } else if (model instanceof TemplateDateModel date) {
            generator.writeString(moment(date));
        } else if (model instanceof TemplateSequenceModel sequence) {
            generator.writeStartArray();
            for (int i = 0; i < sequence.size(); i++) {
                write(generator, sequence.get(i));
            }
            generator.writeEndArray();
        } else if (model instanceof TemplateHashModelEx hash) {
            generator.writeStartObject();
            for (TemplateModelIterator keys = hash.keys().iterator(); keys.hasNext(); ) {
                String key = ((TemplateScalarModel) keys.next()).getAsString();
                generator.writeFieldName(key);
                write(generator, hash.get(key));
            }
            generator.writeEndObject();
        } else if (model instanceof TemplateCollectionModel collection) {
            generator.writeStartArray();
            for (TemplateModelIterator items = collection.iterator(); items.hasNext(); ) {
                write(generator, items.next());
            }
            generator.writeEndArray();
        } else {
            throw new RenderException("A value of this kind can't be shown: give it a format first.");
        }
    }
}
