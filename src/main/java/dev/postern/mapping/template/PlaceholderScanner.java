package dev.postern.mapping.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scanner that finds the {@code {{placeholders}}} in a template's plain text. As in OpenClaw, a placeholder is whatever
 * stands between two opening and two closing braces and holds no closing one. The scanner warns of text that only looks like
 * a placeholder, and of a placeholder that looks like something else.
 */
final class PlaceholderScanner {

    /** The old numeric placeholders, and tags and placeholders in square brackets. */
    private static final Pattern OTHER_SYNTAX =
            Pattern.compile("#\\{(?!\\{)|\\[=[\\w\"'(.]|\\[/?[#@](?:assign|attempt|compress|"
                    + "escape|ftl|function|global|if|import|include|list|local|macro|noparse|setting|switch)\\b");

    /** Names of one or several words, with indexes. */
    private static final Pattern NAMES;

    static {
        String word = "[\\p{L}\\p{N}_$@][\\p{L}\\p{M}\\p{N}_$@:/+-]*+";
        String name = word + "( " + word + ")*+";
        NAMES = Pattern.compile(name + "(\\." + name + "|\\[[0-9]+])*+");
    }

    private static final Pattern STATEMENT = Pattern.compile(
            "(if|else|elseif|elif|unless|each|for|foreach|range|with|block|define|template|include|import|set|end\\w*) ");

    private static final String INSTEAD =
            "a placeholder is a path alone, such as {{payload.a[0].b}}. For conditions and"
                    + " loops write <#if payload.a??>…</#if> and <#list payload.a as x>…</#list>.";

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
            int brace = text.indexOf('}', open);
            boolean closed = brace > open + 2 && text.startsWith("}}", brace);
            int end = closed ? brace + 2 : endOfText(text, open, brace);
            String whole = text.substring(open, end);
            reached = compileContext.source.find(whole, templatePosition, reached);
            TemplatePosition at = compileContext.source.place(reached);
            reached += whole.length();
            pieces.add(new TemplatePiece.Literal(TemplateSource.unveiled(text.substring(done, open))));
            if (closed) {
                boolean veiled = open > 0 && TemplateSource.isVeil(text.charAt(open - 1));
                pieces.add(placeholder(TemplateSource.unveiled(whole), at, veiled));
            } else {
                compileContext.addWarning(at, shown(whole) + " is no placeholder and stays as it is; " + INSTEAD);
                pieces.add(new TemplatePiece.Literal(TemplateSource.unveiled(whole)));
            }
            done = end;
        }
        pieces.add(new TemplatePiece.Literal(TemplateSource.unveiled(text.substring(done))));
        return pieces;
    }

    /** The end of braces that open nothing. {@code brace} is the next closing one, which closes no placeholder; or -1. */
    private static int endOfText(String text, int open, int brace) {
        if (brace >= 0) {
            return text.startsWith("}}", brace) ? brace + 2 : brace + 1;
        }
        int end = open;
        while (end < text.length() && text.charAt(end) == '{') {
            end++;
        }
        return end;
    }

    private TemplatePiece placeholder(String whole, TemplatePosition at, boolean veiled) {
        String path = whole.substring(2, whole.length() - 2).strip();
        int site = compileContext.sites.size();
        PlaceholderPath lookup = PlaceholderPath.read(path, site).orElseGet(() -> {
            if (!isPathOfNames(path)) {
                compileContext.addWarning(at, shown(whole) + " is read as the name of a field; " + INSTEAD);
            }
            return PlaceholderPath.readLoosely(path, site);
        });
        compileContext.site(lookup.written(), at, true);
        note(lookup.steps(), at);
        if (veiled) {
            compileContext.addWarning(
                    at, "This is shown as a dollar sign and the value; write " + whole + " for the value alone.");
        }
        return new TemplatePiece.Placeholder(lookup, at);
    }

    /** Notes the name or the header that a path of these steps reads. */
    private void note(List<String> steps, TemplatePosition at) {
        if (steps.size() == 2 && steps.get(0).equals(CompileContext.HEADERS)) {
            compileContext.addHeader(at, steps.get(1), true);
        } else if (!steps.isEmpty()) {
            compileContext.addReference(at, steps.get(0), true);
        }
    }

    /** Whether {@code path} can be meant as one, and does not look like the statement of another template language. */
    private static boolean isPathOfNames(String path) {
        return NAMES.matcher(path).matches() && !STATEMENT.matcher(path).lookingAt();
    }

    private static String shown(String whole) {
        String start = whole.length() > MAX_SHOWN ? whole.substring(0, MAX_SHOWN) + "…" : whole;
        return start.replaceAll("\\s+", " ");
    }
}
