package dev.postern.mapping.template;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The context of one compilation: the text written so far, and what has been found out about the template. */
final class CompileContext {

    static final String HEADERS = "headers";

    /** The names that every template has. */
    static final Set<String> GIVEN = Set.of("payload", HEADERS, "query", "path", "now", "item", "index");

    /** A name that needs no escapes. */
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\d_]*");

    final TemplateSource source;
    final SourceMapWriter sourceMapWriter = new SourceMapWriter();
    final List<MissingValue> sites = new ArrayList<>();
    final List<TemplateWarning> warnings = new ArrayList<>();
    final List<TemplateReference> references = new ArrayList<>();
    final List<String> literals = new ArrayList<>();
    final List<PlaceholderPath> lookups = new ArrayList<>();
    final Set<String> ownNames = new HashSet<>();

    CompileContext(TemplateSource source) {
        this.source = source;
    }

    /** Adds a position that may have no value, and returns its number. */
    int site(String path, TemplatePosition templatePosition, boolean isShown) {
        sites.add(new MissingValue(path, templatePosition.line(), templatePosition.column(), isShown));
        return sites.size() - 1;
    }

    void addWarning(TemplatePosition templatePosition, String sentence) {
        warnings.add(new TemplateWarning(templatePosition.line(), templatePosition.column(), sentence));
    }

    /** Adds a reference to a name that the request gives the template. */
    void addReference(TemplatePosition templatePosition, String name, boolean isPlaceholder) {
        references.add(
                new TemplateReference(name, null, isPlaceholder, templatePosition.line(), templatePosition.column()));
    }

    /** Adds a reference to a header by its name, in any case. */
    void addHeader(TemplatePosition templatePosition, String header, boolean isPlaceholder) {
        references.add(new TemplateReference(
                HEADERS,
                header.toLowerCase(Locale.ROOT),
                isPlaceholder,
                templatePosition.line(),
                templatePosition.column()));
    }

    /** Adds a variable that the template defines itself. */
    void addVariable(TemplatePosition templatePosition, String name) {
        if (name.startsWith("__")) {
            throw new CompileException(
                    templatePosition,
                    "Names that begin with two underscores are taken: choose another than " + name + ".");
        }
        if (!PLAIN_NAME.matcher(name).matches()) {
            throw new CompileException(
                    templatePosition, "This can't be the name of a variable: choose one of letters and digits.");
        }
        ownNames.add(name);
        ownNames.add(name + "_index");
        ownNames.add(name + "_has_next");
    }

    /** Writes an expression that gives {@code text} as a string. */
    void literal(String text) {
        literals.add(text);
        sourceMapWriter.add("__literal(" + (literals.size() - 1) + ")");
    }
}
