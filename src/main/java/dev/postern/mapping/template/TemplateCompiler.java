package dev.postern.mapping.template;

import freemarker.core.ParseException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A compiler for the templates of mappings. */
public final class TemplateCompiler {

    private static final int MAX_LENGTH = 32 * 1024;
    private static final int MAX_SENTENCE = 400;

    private TemplateCompiler() {}

    /**
     * Compiles {@code text}: FreeMarker within limits, {@code {{placeholders}}}, or both. {@code ${{a}}} is a dollar sign
     * and a placeholder; a lone {@code $} is text. FreeMarker's other forms, {@code #{a}} and {@code [#if]}, are rejected.
     */
    public static CompileResult compile(String text) {
        if (text.length() > MAX_LENGTH) {
            return new TemplateSyntaxError(1, 1, "The template is longer than " + MAX_LENGTH + " characters.");
        }
        TemplateSource source = new TemplateSource(text);
        try {
            return compile(new CompileContext(source));
        } catch (CompileException e) {
            return e.syntaxError();
        } catch (ParseException e) {
            int unclosed = unclosed(source.veiled());
            if (unclosed >= 0) {
                TemplatePosition start = source.place(unclosed);
                return new TemplateSyntaxError(
                        start.line(), start.column(), "This ${ is not closed; write } after its expression.");
            }
            return new TemplateSyntaxError(
                    Math.max(1, e.getLineNumber()), Math.max(1, e.getColumnNumber()), sentence(e.getEditorMessage()));
        } catch (StackOverflowError e) {
            return new TemplateSyntaxError(1, 1, "The template is nested too deeply. Use a transform script instead.");
        } catch (IOException e) {
            throw new IllegalStateException("a text could not be read", e);
        }
    }

    private static CompileResult compile(CompileContext compileContext) throws IOException {
        if (compileContext.source.veiled().stripLeading().startsWith("<#ftl")) {
            return new TemplateSyntaxError(1, 1, "<#ftl …> is not available; leave it out.");
        }
        SyntaxNode root = SyntaxNode.root(TemplateEngine.read(compileContext.source.veiled()));
        Optional<List<TemplatePiece>> plain =
                root == null ? Optional.of(List.of()) : new DirectiveRewriter(compileContext).write(root);
        return new Template(plain.isPresent() ? new PlainBody(plain.get()) : guarded(compileContext), compileContext);
    }

    private static TemplateBody guarded(CompileContext compileContext) throws IOException {
        var guarded = TemplateEngine.guarded(compileContext.sourceMapWriter.text());
        return new GuardedBody(
                guarded, compileContext.sourceMapWriter.origins(), compileContext.literals, compileContext.lookups);
    }

    /** The index of the first interpolation that is not closed before the next tag or the end; -1 where there is none. */
    private static int unclosed(String text) {
        int start = text.indexOf("${");
        while (start >= 0) {
            int end = end(text, start + 2);
            if (end < 0) {
                return start;
            }
            start = text.indexOf("${", end);
        }
        return -1;
    }

    /** The index of the brace that closes what is open at {@code from}; -1 where a tag or the end comes first. */
    private static int end(String text, int from) {
        int depth = 1;
        char quote = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                i += c == '\\' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (isTag(text, i)) {
                return -1;
            } else if (c == '{' || c == '}') {
                depth += c == '{' ? 1 : -1;
                if (depth == 0) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static boolean isTag(String text, int at) {
        return text.startsWith("<#", at) || text.startsWith("</#", at) || text.startsWith("<@", at);
    }

    private static String sentence(@Nullable String message) {
        String line = message == null
                ? "This is no template."
                : message.replaceAll("\\s+", " ").strip();
        return line.length() > MAX_SENTENCE ? line.substring(0, MAX_SENTENCE) + "…" : line;
    }
}
