package dev.postern.mapping.template;

import freemarker.core.ParseException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compiles the texts of mappings. */
public final class Templates {

    private static final int MAX_LENGTH = 32 * 1024;
    private static final int MAX_SENTENCE = 400;

    private Templates() {}

    /**
     * A template of {@code text}: FreeMarker within bounds, {@code {{placeholders}}}, or both. {@code ${{a}}} is a dollar sign
     * and a placeholder; a lone {@code $} is text; FreeMarker's other forms, {@code #{a}} and {@code [#if]}, are refused.
     */
    public static Compiled compile(String text) {
        if (text.length() > MAX_LENGTH) {
            return new Flawed(1, 1, "The template is longer than " + MAX_LENGTH + " characters.");
        }
        Source source = new Source(text);
        try {
            return compile(new Draft(source));
        } catch (Refused e) {
            return e.flaw();
        } catch (ParseException e) {
            return new Flawed(
                    Math.max(1, e.getLineNumber()), Math.max(1, e.getColumnNumber()), sentence(e.getEditorMessage()));
        } catch (StackOverflowError e) {
            return new Flawed(1, 1, "The template is nested too deeply. Use a transform script instead.");
        } catch (IOException e) {
            throw new IllegalStateException("a text could not be read", e);
        }
    }

    private static Compiled compile(Draft draft) throws IOException {
        if (draft.source.veiled().stripLeading().startsWith("<#ftl")) {
            return new Flawed(1, 1, "<#ftl …> is not available; leave it out.");
        }
        Syntax root = Syntax.root(Engine.read(draft.source.veiled()));
        Optional<List<Piece>> plain = root == null ? Optional.of(List.of()) : new ElementGuard(draft).write(root);
        return new Template(plain.isPresent() ? new PlainBody(plain.get()) : guarded(draft), draft);
    }

    private static Body guarded(Draft draft) throws IOException {
        var guarded = Engine.guarded(draft.listing.text());
        return new GuardedBody(guarded, draft.listing.origins(), draft.literals, draft.lookups);
    }

    private static String sentence(@Nullable String message) {
        String line = message == null
                ? "This is no template."
                : message.replaceAll("\\s+", " ").strip();
        return line.length() > MAX_SENTENCE ? line.substring(0, MAX_SENTENCE) + "…" : line;
    }
}
