package dev.postern.mapping.script.rhino;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;

/**
 * A converter of JSON to a script's own values. The copy is deep, so that nothing a script does to it is seen outside. A
 * whole number that JavaScript can't hold to its last digit becomes a string of its digits. Such numbers are ids, and an id
 * that is off by one is worse than one of another type. A fraction becomes the nearest number, as from {@code JSON.parse}.
 */
final class JsonToScript {

    private static final int DEEPEST = 200;
    private static final long LARGEST_EXACT = 1L << 53;

    private final Scriptable scope;
    private final Scriptable objects;
    private final Scriptable arrays;

    JsonToScript(Scriptable scope) {
        this.scope = scope;
        this.objects = TopLevel.getBuiltinPrototype(scope, TopLevel.Builtins.Object);
        this.arrays = TopLevel.getBuiltinPrototype(scope, TopLevel.Builtins.Array);
    }

    /**
     * Converts {@code node}.
     *
     * @throws ConversionException if {@code node} is nested too deeply
     */
    @Nullable
    Object value(JsonNode node) {
        return value(node, 0);
    }

    private @Nullable Object value(JsonNode node, int depth) {
        if (depth > DEEPEST) {
            throw new ConversionException("was not called, for the payload is nested more than " + DEEPEST + " deep");
        }
        return switch (node.getNodeType()) {
            case OBJECT -> object(node, depth);
            case ARRAY -> array(node, depth);
            case STRING -> node.textValue();
            case NUMBER -> number(node);
            case BOOLEAN -> node.booleanValue();
            default -> null;
        };
    }

    private Scriptable object(JsonNode node, int depth) {
        NativeObject object = new NativeObject();
        adopt(object, objects);
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            Object value = value(field.getValue(), depth + 1);
            int index = index(field.getKey());
            if (index >= 0) {
                object.put(index, object, value);
            } else {
                object.put(field.getKey(), object, value);
            }
        }
        return object;
    }

    private Scriptable array(JsonNode node, int depth) {
        @Nullable Object[] elements = new Object[node.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = value(node.get(i), depth + 1);
        }
        NativeArray array = new NativeArray(elements);
        adopt(array, arrays);
        return array;
    }

    private void adopt(ScriptableObject object, Scriptable prototype) {
        object.setParentScope(scope);
        object.setPrototype(prototype);
    }

    private static Object number(JsonNode node) {
        if (node.isInt()) {
            return node.intValue();
        }
        if (node.isDouble() || node.isFloat()) {
            return node.doubleValue();
        }
        BigDecimal exact = node.decimalValue();
        double nearest = exact.doubleValue();
        boolean holds = isWhole(exact) ? isExact(exact) : Double.isFinite(nearest);
        return holds ? (Object) nearest : node.asText();
    }

    private static boolean isWhole(BigDecimal number) {
        return number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0;
    }

    private static boolean isExact(BigDecimal whole) {
        return whole.signum() == 0
                || ((long) whole.precision() - whole.scale() <= 16
                        && whole.abs().longValue() <= LARGEST_EXACT);
    }

    /** The array index that {@code key} is, else -1. An object keeps such keys as numbers. */
    private static int index(String key) {
        int length = key.length();
        if (length == 0 || length > 9 || (length > 1 && key.charAt(0) == '0')) {
            return -1;
        }
        int index = 0;
        for (int i = 0; i < length; i++) {
            char c = key.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            index = index * 10 + (c - '0');
        }
        return index;
    }
}
