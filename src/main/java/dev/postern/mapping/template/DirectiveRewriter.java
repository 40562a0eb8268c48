package dev.postern.mapping.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A rewriter of a template's directives. It writes the template again with guards around its expressions, and rejects
 * directives that are not allowed.
 */
final class DirectiveRewriter {

    private static final int MAX_DEPTH = 60;

    private final CompileContext compileContext;
    private final SourceMapWriter out;
    private final ExpressionRewriter expressions;
    private final PlaceholderScanner placeholders;
    private final List<TemplatePiece> text = new ArrayList<>();
    private boolean plain = true;
    private int choices;
    private int depth;

    DirectiveRewriter(CompileContext compileContext) {
        this.compileContext = compileContext;
        this.out = compileContext.sourceMapWriter;
        this.expressions = new ExpressionRewriter(compileContext);
        this.placeholders = new PlaceholderScanner(compileContext);
    }

    /** Writes the whole template. If it holds only text and placeholders, returns these and writes nothing. */
    Optional<List<TemplatePiece>> write(SyntaxNode root) {
        names(root);
        element(root);
        if (plain) {
            return Optional.of(text);
        }
        flush();
        return Optional.empty();
    }

    /** Collects the variables that the template defines itself, wherever they are used. */
    private void names(SyntaxNode node) {
        deeper(node);
        int first = node.is("IteratorBlock") ? 1 : 0;
        if (node.is("IteratorBlock", "Items")) {
            for (int i = first; i < node.size(); i++) {
                compileContext.addVariable(node.place(), (String) node.value(i));
            }
        } else if (node.is("Assignment")) {
            compileContext.addVariable(node.place(), (String) node.value(0));
        }
        for (int i = 0; i < node.size(); i++) {
            if (node.is("LocalLambdaExpression") && i < node.size() - 1) {
                compileContext.addVariable(node.place(), node.part(i).source());
            } else if (node.has(i)) {
                names(node.part(i));
            }
        }
        node.children().forEach(this::names);
        depth--;
    }

    private void element(SyntaxNode e) {
        switch (e.kind()) {
            case "MixedContent" -> children(e);
            case "TextBlock" -> text(e);
            case "Comment", "TrimInstruction" -> {}
            default -> {
                plain = false;
                flush();
                out.at(e.place());
                directive(e);
            }
        }
    }

    private void directive(SyntaxNode e) {
        switch (e.kind()) {
            case "DollarVariable" -> {
                out.add("${");
                expressions.shown(e.part(0));
                out.add("}");
            }
            case "IfBlock" -> {
                e.children().forEach(branch -> condition(branch, ""));
                end("</#if>");
            }
            case "ConditionalBlock" -> condition(e, "</#if>");
            case "ListElseContainer" -> {
                e.children().forEach(this::listOrElse);
                end("</#list>");
            }
            case "IteratorBlock" -> list(e, "</#list>");
            case "Items" -> block("<#items as " + variables(e, 0) + ">", e, "</#items>");
            case "Sep" -> block("<#sep>", e, "</#sep>");
            case "SwitchBlock" -> choice(e);
            case "BreakInstruction" -> out.add("<#break>");
            case "ContinueInstruction" -> out.add("<#continue>");
            case "AssignmentInstruction" -> children(e);
            case "Assignment" -> assign(e);
            case "StopInstruction" -> stop(e);
            case "CompressedBlock" -> block("<#compress>", e, "</#compress>");
            default -> throw new CompileException(e.place(), rejectionMessage(e));
        }
    }

    private static String rejectionMessage(SyntaxNode e) {
        return switch (e.kind()) {
            case "Macro", "BodyInstruction", "ReturnInstruction" ->
                "Macros and functions are not available. Repeat the text, or use a transform script instead.";
            case "UnifiedCall" -> "There is nothing to call with <@…>. Write ${\"<@\"} for the characters themselves.";
            case "BlockAssignment" -> "Write <#assign x = …>; <#assign x>…</#assign> is not available.";
            case "AttemptBlock", "RecoveryBlock" ->
                "<#attempt> is not available: a missing value is empty, and ! gives it another text.";
            default -> "<" + e.symbol() + "> is not available in a template here. Use a transform script instead.";
        };
    }

    private void stop(SyntaxNode e) {
        if (e.has(0)) {
            throw new CompileException(
                    e.place(), "Write <#stop> alone: it says that there is nothing to do, and needs no reason.");
        }
        out.add("<#stop>");
    }

    private void condition(SyntaxNode e, String close) {
        out.at(e.place()).add("<" + e.symbol());
        if (e.has(0)) {
            out.add(" ");
            expressions.value(e.part(0));
        }
        block(">", e, close);
    }

    private void listOrElse(SyntaxNode e) {
        if (e.is("IteratorBlock")) {
            list(e, "");
        } else {
            block("<#else>", e, "");
        }
    }

    private void list(SyntaxNode e, String close) {
        out.at(e.place()).add("<#list ");
        expressions.value(e.part(0));
        out.add(e.size() > 1 ? " as " + variables(e, 1) : "");
        block(">", e, close);
    }

    private static String variables(SyntaxNode e, int first) {
        return e.value(first) + (e.size() > first + 1 ? ", " + e.value(first + 1) : "");
    }

    /**
     * Writes a switch whose cases each compare explicitly, because FreeMarker compares differently from
     * {@link LooseEquality}.
     */
    private void choice(SyntaxNode e) {
        String chosen = "__chosen" + choices++;
        out.add("<#assign " + chosen + " = ");
        expressions.value(e.part(0));
        out.add("><#switch true>");
        for (SyntaxNode branch : e.children()) {
            if (branch.is("Case", "On")) {
                out.at(branch.place()).add("<" + branch.symbol());
                for (int i = 0; i < branch.size() && branch.has(i); i++) {
                    out.add((i == 0 ? " " : ", ") + "__same(" + chosen + ", ");
                    expressions.value(branch.part(i));
                    out.add(")");
                }
                block(">", branch, "");
            }
        }
        out.add("</#switch>");
    }

    private void assign(SyntaxNode e) {
        if (!"=".equals(e.value(1)) || e.has(4) || !e.symbol().equals("#assign")) {
            throw new CompileException(
                    e.place(), "Write <#assign x = x + 1>; other kinds of assignment are not available.");
        }
        String name = (String) e.value(0);
        if (CompileContext.GIVEN.contains(name)) {
            throw new CompileException(e.place(), "This name is taken: choose another than " + name + ".");
        }
        out.add("<#assign " + name + " = ");
        expressions.value(e.part(2));
        out.add(">");
    }

    private void block(String open, SyntaxNode e, String close) {
        out.add(open);
        children(e);
        end(close);
    }

    private void end(String tag) {
        flush();
        out.add(tag);
    }

    private void children(SyntaxNode e) {
        deeper(e);
        for (SyntaxNode child : e.children()) {
            element(child);
        }
        depth--;
    }

    private void text(SyntaxNode e) {
        String words = (String) e.value(0);
        if (e.source().startsWith("<#noparse>")) {
            text.add(new TemplatePiece.Literal(TemplateSource.unveiled(words)));
        } else {
            text.addAll(placeholders.read(words, e.place()));
        }
    }

    /** Writes the collected text. */
    private void flush() {
        StringBuilder words = new StringBuilder();
        for (TemplatePiece piece : text) {
            if (piece instanceof TemplatePiece.Literal literal) {
                words.append(literal.text());
            } else if (piece instanceof TemplatePiece.Placeholder placeholder) {
                words(words);
                compileContext.lookups.add(placeholder.lookup());
                out.add("${__lookup(" + (compileContext.lookups.size() - 1) + ")}");
            }
        }
        words(words);
        text.clear();
    }

    /** Writes text as it is, unless FreeMarker would interpret a part of it. */
    private void words(StringBuilder words) {
        String whole = words.toString();
        words.setLength(0);
        if (whole.isEmpty()) {
            return;
        }
        boolean harmless =
                !whole.contains("${") && !whole.contains("<") && !whole.endsWith("$") && whole.indexOf('\r') < 0;
        if (harmless) {
            out.add(whole);
        } else {
            out.add("${");
            compileContext.literal(whole);
            out.add("}");
        }
    }

    private void deeper(SyntaxNode e) {
        if (++depth > MAX_DEPTH) {
            throw new CompileException(
                    e.place(), "This template is nested too deeply. Use a transform script instead.");
        }
    }
}
