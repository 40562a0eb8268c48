package dev.postern.mapping.template;

import freemarker.template.utility.StringUtil;
import java.util.List;
import java.util.Set;

/**
 * A rewriter of expressions. It writes an expression again with guards around its values, and rejects what is not allowed.
 *
 * <p>Each path, with the built-ins that follow it, becomes {@code __value((…)!__none, n)}. If anything in it is missing,
 * all of it is missing. Each path is counted against the {@link RenderBudget}. Before each built-in, {@code __raw(…)} counts the
 * input, so that no chain of built-ins runs away. Operations that could make much of little ({@code +}, {@code ?join},
 * ranges …) become calls of {@link TemplateFunctions}. {@link BuiltInRewriter} handles the built-ins themselves. Between
 * two guards there is therefore one operation of FreeMarker, and its input limits its cost.
 */
final class ExpressionRewriter {

    static final Set<String> CHAINED = Set.of("Identifier", "Dot", "DynamicKeyName", "BuiltIn", "MethodCall");
    private static final int MAX_DEPTH = 150;

    /** The function for a value that the text shows. */
    private static final String TEXT = "__text";

    private final CompileContext compileContext;
    private final SourceMapWriter out;
    private final BuiltInRewriter builtIns;
    private int depth;

    ExpressionRewriter(CompileContext compileContext) {
        this.compileContext = compileContext;
        this.out = compileContext.sourceMapWriter;
        this.builtIns = new BuiltInRewriter(this, compileContext.sourceMapWriter);
    }

    /** Writes an expression that always gives a value. */
    void value(SyntaxNode e) {
        deeper(e);
        out.at(e.place());
        switch (e.kind()) {
            case "BooleanLiteral" -> out.add(e.source());
            case "NumberLiteral" -> number(e);
            case "StringLiteral" -> string(e);
            case "ParentheticalExpression" -> enclosed("(", e.part(0));
            case "Identifier", "Dot", "DynamicKeyName", "BuiltIn", "MethodCall" -> tolerant("__value", e);
            case "ExistsExpression" -> present(e);
            case "DefaultToExpression" -> orElse(e);
            case "NotExpression" -> enclosed("(!", e.part(0));
            case "UnaryPlusMinusExpression" -> enclosed("(" + e.symbol().charAt(0), e.part(0));
            case "ArithmeticExpression", "ComparisonExpression", "AndExpression", "OrExpression" -> operation(e);
            case "AddConcatExpression" -> call("__plus", e.parts(0));
            case "Range" -> range(e);
            case "ListLiteral" -> list("[", e.parts(0), "]");
            case "HashLiteral" -> hash(e);
            case "BuiltinVariable" ->
                throw refuse(
                        e,
                        e.source()
                                + " is not available. There are payload, headers, query, path, now, item and index.");
            default -> throw refuse(e, "This is not available in a template here. Use a transform script instead.");
        }
        depth--;
    }

    /** Writes an expression that gives the text of a value. */
    void shown(SyntaxNode e) {
        SyntaxNode inner = e;
        while (inner.is("ParentheticalExpression")) {
            inner = inner.part(0);
        }
        out.at(e.place());
        if (CHAINED.contains(inner.kind())) {
            tolerant(TEXT, inner);
        } else {
            out.add(TEXT + "(");
            value(inner);
            out.add(")");
        }
    }

    private void tolerant(String function, SyntaxNode e) {
        out.add(function + "((");
        chain(e);
        out.add(")!__none, " + compileContext.site(e.source(), e.place(), function.equals(TEXT)) + ")");
    }

    private void present(SyntaxNode e) {
        out.add("((");
        real(e.part(0));
        out.add(")??)");
    }

    private void orElse(SyntaxNode e) {
        out.add("__value(((");
        real(e.part(0));
        out.add(")!(");
        if (e.has(1)) {
            value(e.part(1));
        } else {
            out.add("__none");
        }
        out.add(")))");
    }

    /** Writes an expression that gives a value or null. */
    void real(SyntaxNode e) {
        if (e.is("ParentheticalExpression")) {
            real(e.part(0));
            return;
        }
        out.add("__raw(");
        link(e);
        out.add(")");
    }

    private void link(SyntaxNode e) {
        if (CHAINED.contains(e.kind())) {
            chain(e);
        } else {
            value(e);
        }
    }

    /** Writes a path or built-ins without the guard for missing values, because an enclosing expression has it. */
    void chain(SyntaxNode e) {
        deeper(e);
        out.at(e.place());
        switch (e.kind()) {
            case "Identifier" -> out.add(name(e));
            case "Dot" -> {
                header(e, (String) e.value(1));
                link(e.part(0));
                out.add(e.source().substring(e.part(0).source().length()));
            }
            case "DynamicKeyName" -> key(e);
            default -> builtIns.write(e);
        }
        depth--;
    }

    String name(SyntaxNode e) {
        String name = e.source();
        if (name.startsWith("__")) {
            throw refuse(e, "Names that begin with two underscores are not available.");
        }
        if (compileContext.ownNames.contains(name)) {
            return name;
        }
        if (CompileContext.GIVEN.contains(name)) {
            compileContext.addReference(e.place(), name, false);
        } else {
            compileContext.addWarning(
                    e.place(),
                    name
                            + " is not a name that templates have, and always empty. There are payload, headers, query, path,"
                            + " now, item and index; a field of the payload is payload." + name + ".");
        }
        return name;
    }

    /** Notes the header {@code name} if {@code e} reads it. */
    private void header(SyntaxNode e, String name) {
        SyntaxNode target = e.part(0);
        if (target.is("Identifier")
                && target.source().equals(CompileContext.HEADERS)
                && !compileContext.ownNames.contains(CompileContext.HEADERS)) {
            compileContext.addHeader(e.place(), name, false);
        }
    }

    private void key(SyntaxNode e) {
        SyntaxNode key = e.part(1);
        if (key.is("Range")) {
            out.add("__slice(");
            link(e.part(0));
            for (SyntaxNode bound : key.has(1) ? key.parts(0) : List.of(key.part(0))) {
                out.add(", ");
                value(bound);
            }
            out.add(key.has(1) ? ", \"" + key.symbol() + "\")" : ")");
        } else {
            builtIns.checkKey(e.part(0), key);
            boolean named = key.is("StringLiteral") && key.size() == 0;
            if (named) {
                header(e, TemplateSource.unveiled(constant(key)));
            }
            out.add(named ? "" : "__item(");
            link(e.part(0));
            out.add(named ? "[" : ", ");
            link(key);
            out.add(named ? "]" : ")");
        }
    }

    private void number(SyntaxNode e) {
        if (e.source().length() > DecimalArithmetic.MAX_DIGITS) {
            throw refuse(e, "A number of more than " + DecimalArithmetic.MAX_DIGITS + " digits is not available.");
        }
        out.add(e.source());
    }

    private void string(SyntaxNode e) {
        if (e.size() == 0) {
            String text = TemplateSource.unveiled(constant(e));
            if (text.contains("{{")) {
                compileContext.addWarning(
                        e.place(),
                        "{{…}} is no placeholder inside an expression and stays as it is; write the path alone.");
            }
            if (text.contains("${")) {
                compileContext.literal(text);
            } else {
                out.add("\"" + StringUtil.FTLStringLiteralEnc(text, '"') + "\"");
            }
            return;
        }
        out.add("__joined(");
        for (int i = 0; i < e.size(); i++) {
            out.add(i == 0 ? "" : ", ");
            if (e.has(i)) {
                shown(e.part(i).part(0));
            } else {
                compileContext.literal(TemplateSource.unveiled((String) e.value(i)));
            }
        }
        out.add(")");
    }

    @SuppressWarnings("deprecation")
    private static String constant(SyntaxNode e) {
        try {
            return ((freemarker.template.TemplateScalarModel) e.node()).getAsString();
        } catch (freemarker.template.TemplateModelException impossible) {
            throw new IllegalStateException("a string that has no text", impossible);
        }
    }

    private void operation(SyntaxNode e) {
        SyntaxNode left = e.part(0);
        if (e.symbol().equals("-") && left.is("Dot") && left.part(0).source().equals("headers")) {
            throw refuse(e, "A minus can't be part of a name: write headers[\"x-y\"] for the header x-y.");
        }
        switch (e.symbol()) {
            case "==", "=" -> call("__same", e.parts(0));
            case "!=" -> {
                out.add("(!");
                call("__same", e.parts(0));
                out.add(")");
            }
            default -> enclosed("(", left, " " + e.symbol() + " ", e.part(1));
        }
    }

    private void enclosed(String open, SyntaxNode e) {
        out.add(open);
        value(e);
        out.add(")");
    }

    private void enclosed(String open, SyntaxNode left, String between, SyntaxNode right) {
        out.add(open);
        value(left);
        out.add(between);
        value(right);
        out.add(")");
    }

    private void range(SyntaxNode e) {
        if (!e.has(1)) {
            throw refuse(e, "A range needs an end, such as 1..10, unless it cuts something off, such as x[2..].");
        }
        out.add("__range(");
        value(e.part(0));
        out.add(", ");
        value(e.part(1));
        out.add(", \"" + e.symbol() + "\")");
    }

    private void hash(SyntaxNode e) {
        out.add("{");
        for (int i = 0; i < e.size(); i++) {
            out.add(i == 0 ? "" : i % 2 == 1 ? ": " : ", ");
            value(e.part(i));
        }
        out.add("}");
    }

    private void call(String function, List<SyntaxNode> arguments) {
        out.add(function);
        list("(", arguments, ")");
    }

    void list(String open, List<SyntaxNode> items, String close) {
        out.add(open);
        for (int i = 0; i < items.size(); i++) {
            out.add(i == 0 ? "" : ", ");
            value(items.get(i));
        }
        out.add(close);
    }

    private void deeper(SyntaxNode e) {
        if (++depth > MAX_DEPTH) {
            throw refuse(e, "This expression is nested too deeply: keep parts of it with <#assign x = …>.");
        }
    }

    static CompileException refuse(SyntaxNode e, String sentence) {
        return new CompileException(e.place(), sentence);
    }
}
