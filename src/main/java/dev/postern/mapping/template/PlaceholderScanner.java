package dev.postern.mapping.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scanner that finds the {@code {{placeholders}}} in a template's plain text, and warns of text that only looks like one.
 */
final class PlaceholderScanner {

    /** The old numeric placeholders, and tags and placeholders in square brackets. */
    private static final Pattern OTHER_SYNTAX =
            Pattern.compile("#\\{(?!\\{)|\\[=[\\w\"'(.]|\\[/?[#@](?:assign|attempt|compress|"
                    + "escape|ftl|function|global|if|import|include|list|local|macro|noparse|setting|switch)\\b");

    private static final int MAX_SHOWN = 60;

    private final CompileContext compileContext;
    private int reached;

    PlaceholderScanner(CompileContext compileContext) {
        this.compileContext = compileContext;
    }

    private void refuseOtherSyntax(String text, TemplatePosition templatePosition) {
        Matcher other = OTHER_SYNTAX.matcher(text);
        if (other.find()) {
            throw new CompileException(
                    compileContext.source.place(compileContext.source.find(other.group(), templatePosition, reached)),
                    other.group() + " begins a form of FreeMarker that is not used here: write ${…} and <#…>, or"
                            + " <#noparse>…</#noparse> around what is text.");
        }
    }

    /** Splits a stretch of text into pieces. {@code templatePosition} is its start, or a little before. */
    List<TemplatePiece> read(String text, TemplatePosition templatePosition) {
        refuseOtherSyntax(text, templatePosition);
        List<TemplatePiece> pieces = new ArrayList<>();
        int done = 0;
        for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", done)) {
            int end = end(text, open);
            String whole = text.substring(open, end);
            reached = compileContext.source.find(whole, templatePosition, reached);
            TemplatePosition at = compileContext.source.place(reached);
            reached += whole.length();
            pieces.add(new TemplatePiece.Literal(TemplateSource.unveiled(text.substring(done, open))));
            boolean veiled = open > 0 && TemplateSource.isVeil(text.charAt(open - 1));
            pieces.add(piece(whole, at, veiled));
            done = end;
        }
        pieces.add(new TemplatePiece.Literal(TemplateSource.unveiled(text.substring(done))));
        return pieces;
    }

    private static int end(String text, int open) {
        int inner = open;
        while (inner < text.length() && text.charAt(inner) == '{') {
            inner++;
        }
        int close = text.indexOf("}}", inner);
        if (close < 0) {
            return inner;
        }
        int end = close;
        while (end < text.length() && text.charAt(end) == '}' && end - close < inner - open) {
            end++;
        }
        return end;
    }

    private TemplatePiece piece(String whole, TemplatePosition at, boolean veiled) {
        Optional<PlaceholderPath> lookup = !whole.startsWith("{{{") && whole.endsWith("}}")
                ? PlaceholderPath.read(whole.substring(2, whole.length() - 2).strip(), compileContext.sites.size())
                : Optional.empty();
        if (lookup.isEmpty()) {
            compileContext.addWarning(at, warningText(whole));
            return new TemplatePiece.Literal(TemplateSource.unveiled(whole));
        }
        compileContext.site(lookup.get().written(), at);
        if (veiled) {
            compileContext.addWarning(
                    at, "This is shown as a dollar sign and the value; write " + whole + " for the value alone.");
        }
        return new TemplatePiece.Placeholder(lookup.get(), at);
    }

    private static String warningText(String whole) {
        String shown = whole.length() > MAX_SHOWN ? whole.substring(0, MAX_SHOWN) + "…" : whole;
        return shown.replaceAll("\\s+", " ")
                + " is no placeholder and stays as it is; one is a path alone, such as {{payload.a[0].b}}. For conditions"
                + " and loops write <#if payload.a??>…</#if> and <#list payload.a as x>…</#list>.";
    }
}
