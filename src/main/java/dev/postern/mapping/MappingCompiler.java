package dev.postern.mapping;

import dev.postern.config.CredentialHeaders;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Text;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.script.ScriptProblem;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.mapping.template.CompileResult;
import dev.postern.mapping.template.Template;
import dev.postern.mapping.template.TemplateCompiler;
import dev.postern.mapping.template.TemplateReference;
import dev.postern.mapping.template.TemplateSyntaxError;
import dev.postern.mapping.template.TemplateWarning;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** A compiler of mappings. It collects every problem, so that all are reported at once. */
final class MappingCompiler {

    private final ScriptRegistry scriptRegistry;
    private final CredentialHeaders withheld;
    private final LongSupplier nanoTime;
    private final List<CompiledMapping> hooks = new ArrayList<>();
    /** A set, because mappings may share a module. */
    private final Set<String> problems = new LinkedHashSet<>();

    private final Set<String> warnings = new LinkedHashSet<>();

    /**
     * @param withheld the headers that never reach a mapping
     * @param nanoTime in nanoseconds, like {@link System#nanoTime}
     */
    MappingCompiler(ScriptRegistry scriptRegistry, CredentialHeaders withheld, LongSupplier nanoTime) {
        this.scriptRegistry = scriptRegistry;
        this.withheld = withheld;
        this.nanoTime = nanoTime;
    }

    void add(MappingSettings mapping) {
        Map<TextField, Template> templates = new EnumMap<>(TextField.class);
        mapping.texts().forEach((field, text) -> {
            CompileResult compileResult = TemplateCompiler.compile(text.template());
            if (compileResult instanceof Template template) {
                template.warnings().forEach(templateWarning -> warnings.add(line(text, templateWarning)));
                template.references().forEach(reference -> check(mapping, field, text, reference));
                templates.put(field, template);
            } else {
                problems.add(line(text, (TemplateSyntaxError) compileResult));
            }
        });
        MappingSettings.Transform transform = mapping.transform();
        if (transform != null) {
            for (ScriptProblem problem : scriptRegistry.prepare(transform.module(), transform.export())) {
                problems.add(transform.where() + ": " + problem.file() + place(problem) + ": " + problem.sentence());
            }
        }
        hooks.add(new CompiledMapping(mapping, new FieldTemplates(mapping, templates), scriptRegistry, nanoTime));
    }

    Compilation result() {
        return new Compilation(new HookRegistry(hooks), List.copyOf(problems), List.copyOf(warnings));
    }

    private void check(MappingSettings mapping, TextField field, Text text, TemplateReference reference) {
        if (reference.isToElement()) {
            checkElement(mapping, field, text, reference);
        } else if (reference.header() != null && withheld.contains(reference.header())) {
            warnings.add(line(
                    text,
                    reference,
                    "The header [" + reference.header() + "] is always empty here: it holds a token, a credential or"
                            + " a signature, and never reaches a mapping. Read another header."));
        }
    }

    /** Checks that {@code field} renders for an element where its template refers to one. */
    private void checkElement(MappingSettings mapping, TextField field, Text text, TemplateReference reference) {
        String name = reference.name();
        String payload = "A field of the payload is payload." + name + ".";
        if (mapping.forEach() == null) {
            warnings.add(line(
                    text,
                    reference,
                    reference.isPlaceholder()
                            ? name + " is a field of the payload here, since the mapping has no forEach; write payload."
                                    + name + "."
                            : name + " is always empty here, since the mapping has no forEach. " + payload));
        } else if (field == TextField.IDEMPOTENCY_KEY) {
            problems.add(line(
                    text,
                    reference,
                    name + " is not available in idempotencyKey, which is one key for the whole request with all"
                            + " elements. Write what tells requests apart, such as {{headers.x-delivery-id}}. "
                            + payload));
        }
    }

    /** The line and column of a problem; empty if the problem is the whole file. */
    private static String place(ScriptProblem problem) {
        return problem.line() == 0 ? "" : " line " + problem.line() + ", column " + problem.column();
    }

    private static String line(Text text, TemplateSyntaxError flaw) {
        return line(text, flaw.line(), flaw.column(), flaw.sentence());
    }

    private static String line(Text text, TemplateWarning warning) {
        return line(text, warning.line(), warning.column(), warning.sentence());
    }

    private static String line(Text text, TemplateReference reference, String sentence) {
        return line(text, reference.line(), reference.column(), sentence);
    }

    private static String line(Text text, int line, int column, String sentence) {
        return text.where() + ": template line " + line + ", column " + column + ": " + sentence;
    }
}
