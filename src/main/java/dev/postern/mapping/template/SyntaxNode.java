package dev.postern.mapping.template;

import freemarker.core.TemplateElement;
import freemarker.core.TemplateObject;
import freemarker.template.Template;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a template that FreeMarker has parsed. FreeMarker exposes only elements and positions of its tree, so the parts
 * of an expression are read by reflection. A release that names them differently fails at start.
 *
 * @param kind the simple name of FreeMarker's class; {@code BuiltIn} for all built-ins
 */
@SuppressWarnings("deprecation")
record SyntaxNode(TemplateObject node, String kind) {

    private static final Method COUNT = method("getParameterCount");
    private static final Method VALUE = method("getParameterValue", int.class);
    private static final Method SYMBOL = method("getNodeTypeSymbol");
    private static final Class<?> BUILT_IN = type("freemarker.core.BuiltIn");

    static @Nullable SyntaxNode root(Template template) {
        TemplateElement root = template.getRootTreeNode();
        return root == null ? null : of(root);
    }

    private static SyntaxNode of(TemplateObject node) {
        return new SyntaxNode(
                node, BUILT_IN.isInstance(node) ? "BuiltIn" : node.getClass().getSimpleName());
    }

    TemplatePosition place() {
        return new TemplatePosition(Math.max(1, node.getBeginLine()), Math.max(1, node.getBeginColumn()));
    }

    /** The node as FreeMarker would write it. */
    String source() {
        return node.getCanonicalForm();
    }

    /** The name of the node: an operator or a directive. */
    String symbol() {
        return (String) call(SYMBOL);
    }

    boolean is(String... kinds) {
        return List.of(kinds).contains(kind);
    }

    List<SyntaxNode> children() {
        List<SyntaxNode> children = new ArrayList<>();
        if (node instanceof TemplateElement element) {
            for (int i = 0; i < element.getChildCount(); i++) {
                children.add(of((TemplateObject) element.getChildAt(i)));
            }
        }
        return children;
    }

    int size() {
        return (int) call(COUNT);
    }

    /** A part that is an expression. */
    SyntaxNode part(int index) {
        return of((TemplateObject) value(index));
    }

    /** All parts from {@code first} on, each an expression. */
    List<SyntaxNode> parts(int first) {
        List<SyntaxNode> parts = new ArrayList<>();
        for (int i = first; i < size(); i++) {
            parts.add(part(i));
        }
        return parts;
    }

    /** A part as it is: an expression's node, a name, a number, or null. */
    Object value(int index) {
        return call(VALUE, index);
    }

    boolean has(int index) {
        return index < size() && value(index) instanceof TemplateObject;
    }

    @SuppressWarnings("NullAway") // FreeMarker's absent parts; asked for with has() where a part may be absent
    private Object call(Method method, Object... arguments) {
        try {
            return method.invoke(node, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("FreeMarker's tree can't be read", e);
        }
    }

    private static Method method(String name, Class<?>... parameters) {
        try {
            Method method = TemplateObject.class.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("FreeMarker's tree can't be read", e);
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, TemplateObject.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("FreeMarker's tree can't be read", e);
        }
    }
}
