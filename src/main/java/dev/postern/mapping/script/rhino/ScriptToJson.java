package dev.postern.mapping.script.rhino;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * A converter of a script's object to JSON: a deep copy within limits, by the rules of {@code JSON.stringify}. Getters and
 * {@code toJSON} run here, metered like the rest of the script.
 */
final class ScriptToJson {

    private static final int DEEPEST = 100;
    private static final int MOST_NODES = 10_000;
    private static final int MOST_CHARACTERS = 1_000_000;
    private static final double LARGEST_EXACT = 9_007_199_254_740_992.0;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Context context;
    private final Scriptable scope;
    private final Deque<Scriptable> within = new ArrayDeque<>();

    private int nodes;
    private int characters;

    ScriptToJson(Context context, Scriptable scope) {
        this.context = context;
        this.scope = scope;
    }

    /**
     * Converts {@code object}.
     *
     * @throws ConversionException if {@code object} holds itself or too much
     */
    ObjectNode object(Scriptable object) {
        enter(object);
        ObjectNode node = NODES.objectNode();
        for (Object id : object.getIds()) {
            if (id instanceof Symbol) {
                continue;
            }
            String key = text(id.toString());
            JsonNode value = value(
                    key,
                    id instanceof Integer index
                            ? ScriptableObject.getProperty(object, index)
                            : ScriptableObject.getProperty(object, key));
            if (value != null) {
                node.set(key, value);
            }
        }
        within.pop();
        return node;
    }

    private ArrayNode array(NativeArray array) {
        enter(array);
        if (array.getLength() > MOST_NODES) {
            throw tooMuch();
        }
        ArrayNode node = NODES.arrayNode();
        for (int i = 0; i < array.getLength(); i++) {
            JsonNode value = value(Integer.toString(i), ScriptableObject.getProperty(array, i));
            node.add(value == null ? NODES.nullNode() : value);
        }
        within.pop();
        return node;
    }

    private @Nullable JsonNode value(String key, @Nullable Object given) {
        if (++nodes > MOST_NODES) {
            throw tooMuch();
        }
        Object value = given instanceof Scriptable object ? plain(key, object) : given;
        if (value == null) {
            return NODES.nullNode();
        }
        if (value instanceof CharSequence text) {
            return NODES.textNode(text(text));
        }
        if (value instanceof Boolean truth) {
            return NODES.booleanNode(truth);
        }
        if (value instanceof Number number) {
            return number(number.doubleValue());
        }
        if (value instanceof NativeArray array) {
            return array(array);
        }
        boolean isObject = value instanceof Scriptable && !(value instanceof Callable) && !(value instanceof Symbol);
        return isObject && !Undefined.isUndefined(value) ? object((Scriptable) value) : null;
    }

    /** The result of {@code toJSON} if there is one, the primitive of an object around one, else the object. */
    private @Nullable Object plain(String key, Scriptable object) {
        if (ScriptableObject.getProperty(object, "toJSON") instanceof Callable toJson) {
            return toJson.call(context, scope, object, new Object[] {key});
        }
        return switch (object.getClassName()) {
            case "String" -> ScriptRuntime.toString(object);
            case "Number" -> ScriptRuntime.toNumber(object);
            case "Boolean" -> object.getDefaultValue(ScriptRuntime.BooleanClass);
            default -> object;
        };
    }

    private static JsonNode number(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return NODES.nullNode();
        }
        return number == Math.rint(number) && Math.abs(number) <= LARGEST_EXACT
                ? NODES.numberNode((long) number)
                : NODES.numberNode(number);
    }

    private String text(CharSequence text) {
        characters += text.length();
        if (characters > MOST_CHARACTERS) {
            throw tooMuch();
        }
        return text.toString();
    }

    private void enter(Scriptable object) {
        for (Scriptable outer : within) {
            if (outer == object) {
                throw new ConversionException("returned an object that holds itself");
            }
        }
        if (within.size() == DEEPEST) {
            throw new ConversionException("returned an object nested more than " + DEEPEST + " deep");
        }
        within.push(object);
    }

    private static ConversionException tooMuch() {
        return new ConversionException(
                "returned more than " + MOST_NODES + " values or " + MOST_CHARACTERS + " characters");
    }
}
