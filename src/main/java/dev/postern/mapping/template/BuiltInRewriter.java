package dev.postern.mapping.template;

import java.util.List;

/**
 * A rewriter of built-ins. It guards those of {@link AllowedBuiltIns}, each in its own way, and rejects every other call.
 */
final class BuiltInRewriter {

    private final ExpressionRewriter expressions;
    private final SourceMapWriter out;

    BuiltInRewriter(ExpressionRewriter expressions, SourceMapWriter out) {
        this.expressions = expressions;
        this.out = out;
    }

    /** Writes a built-in or a call. Only built-ins can be called. */
    void write(SyntaxNode e) {
        if (e.is("BuiltIn")) {
            builtIn(e, e.parts(2));
            return;
        }
        if (!e.part(0).is("BuiltIn") || e.part(0).size() > 2) {
            throw ExpressionRewriter.refuse(
                    e, "Nothing can be called here: the payload is data, and its fields are read as payload.a.b.");
        }
        builtIn(e.part(0), e.parts(1));
    }

    private void builtIn(SyntaxNode e, List<SyntaxNode> arguments) {
        String name = (String) e.value(1);
        AllowedBuiltIns.Form form = AllowedBuiltIns.form(name);
        if (form == null) {
            throw ExpressionRewriter.refuse(e, AllowedBuiltIns.rejectionMessage(name));
        }
        if (arguments.size() < form.least() || arguments.size() > form.most()) {
            String range = form.least() == form.most() ? "" + form.least() : form.least() + " to " + form.most();
            throw ExpressionRewriter.refuse(
                    e,
                    "?" + name + " takes " + range
                            + " argument(s) here; regular expressions and flags are not available.");
        }
        if (form.kind() == AllowedBuiltIns.Kind.OWN) {
            out.add("__" + name + "(");
            expressions.real(e.part(0));
            for (SyntaxNode argument : arguments) {
                out.add(", ");
                expressions.value(argument);
            }
            out.add(")");
            return;
        }
        switch (form.kind()) {
            case TOLERANT -> tolerated(name, e.part(0));
            case CHOICE -> {
                choice(e.part(0), arguments);
                return;
            }
            case LOOP -> out.add(expressions.name(e.part(0)));
            case MOMENT -> {
                out.add("__moment(");
                expressions.real(e.part(0));
                out.add(")");
            }
            default -> expressions.real(e.part(0));
        }
        out.add("?" + name);
        switch (form.kind()) {
            case WRITTEN, MOMENT -> {
                arguments.forEach(argument -> written(name, argument));
                arguments(arguments);
            }
            case LAMBDA -> lambda(arguments.get(0));
            default -> arguments(arguments);
        }
    }

    /** Writes a switch: first the index of the matching case, then the result for that index. */
    private void choice(SyntaxNode value, List<SyntaxNode> arguments) {
        out.add("__which(");
        expressions.value(value);
        for (int i = 0; i + 1 < arguments.size(); i += 2) {
            out.add(", ");
            expressions.value(arguments.get(i));
        }
        out.add(")?switch(");
        for (int i = 1; i < arguments.size(); i += 2) {
            out.add((i > 1 ? ", " : "") + i / 2 + ", ");
            expressions.value(arguments.get(i));
        }
        if (arguments.size() % 2 == 1) {
            out.add(", ");
            expressions.value(arguments.get(arguments.size() - 1));
        }
        out.add(")");
    }

    /** Writes a value that may be missing. A value that {@code ?has_content} tests is not reported as missing. */
    private void tolerated(String name, SyntaxNode e) {
        if (name.equals("has_content") && ExpressionRewriter.CHAINED.contains(e.kind())) {
            out.add("__value((");
            expressions.chain(e);
            out.add(")!__none)");
        } else {
            expressions.value(e);
        }
    }

    private void arguments(List<SyntaxNode> arguments) {
        if (!arguments.isEmpty()) {
            expressions.list("(", arguments, ")");
        }
    }

    /** Checks a format that is given as a key, such as {@code x?string["0.00"]}. */
    void checkKey(SyntaxNode target, SyntaxNode key) {
        if (target.is("BuiltIn") && isFormat((String) target.value(1))) {
            written((String) target.value(1), key);
        }
    }

    private static boolean isFormat(String name) {
        AllowedBuiltIns.Form form = AllowedBuiltIns.form(name);
        return form != null
                && (form.kind() == AllowedBuiltIns.Kind.WRITTEN || form.kind() == AllowedBuiltIns.Kind.MOMENT);
    }

    /**
     * Rejects a format that is not a literal. FreeMarker keeps formats, and a computed one could be as long as a payload.
     */
    private static void written(String name, SyntaxNode argument) {
        if (!argument.is("StringLiteral")
                || argument.size() > 0
                || argument.source().length() > 50) {
            throw ExpressionRewriter.refuse(
                    argument, "The arguments of ?" + name + " must be written out, such as \"0.00\".");
        }
    }

    private void lambda(SyntaxNode e) {
        if (!e.is("LocalLambdaExpression")) {
            throw ExpressionRewriter.refuse(e, "Write what is done with each item, such as x -> x.name.");
        }
        int last = e.size() - 1;
        out.add("(" + e.part(0).source() + " -> ");
        expressions.value(e.part(last));
        out.add(")");
    }
}
