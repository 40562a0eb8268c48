package dev.postern.mapping.template;

import java.util.List;

/**
 * A template that any number of threads can render at once. A rendering takes at most 0.2 s and 64 MiB, gives at most
 * {@value #MAX_OUTPUT} characters, and ends with a result whatever the payload holds.
 */
public final class Template implements CompileResult {

    /** The most characters of one rendering. */
    public static final int MAX_OUTPUT = 256 * 1024;

    private final TemplateBody body;
    private final List<TemplateWarning> warnings;
    private final List<TemplateReference> references;
    private final List<MissingValue> sites;

    Template(TemplateBody body, CompileContext compileContext) {
        this.body = body;
        this.warnings = List.copyOf(compileContext.warnings);
        this.references = List.copyOf(compileContext.references);
        this.sites = List.copyOf(compileContext.sites);
    }

    /**
     * Renders the text for one request. A missing value is empty, an object or array is JSON, a number is as it was sent.
     */
    public RenderResult render(TemplateInput input) {
        try (RenderBudget renderBudget = new RenderBudget()) {
            return body.render(input, renderBudget);
        }
    }

    /** As {@link #render}, with no text if a value that it would show is missing. See {@link #gaps}. */
    public RenderResult renderWhole(TemplateInput input) {
        try (RenderBudget renderBudget = new RenderBudget()) {
            RenderResult rendered = body.render(input, renderBudget);
            boolean isWhole = renderBudget.gaps().stream().mapToObj(sites::get).noneMatch(MissingValue::isShown);
            return isWhole || rendered instanceof RenderResult.Failed ? rendered : new RenderResult.Nothing();
        }
    }

    /** Whether the template holds nothing to fill in, so that it always gives the same text. */
    public boolean isConstant() {
        return body.isConstant();
    }

    /** The parts that look like something that they are not, in the order of the text; for warnings at start. */
    public List<TemplateWarning> warnings() {
        return warnings;
    }

    /**
     * The names of the request that the template reads, in the order of the text. Names that it defines itself are left
     * out.
     */
    public List<TemplateReference> references() {
        return references;
    }

    /**
     * The positions that had no value when rendered for {@code sample}, in the order of the text. Positions that the
     * rendering did not reach are left out. So are values that the template tests with {@code ??} or replaces with
     * {@code !}.
     */
    public List<MissingValue> gaps(TemplateInput sample) {
        try (RenderBudget renderBudget = new RenderBudget()) {
            body.render(sample, renderBudget);
            return renderBudget.gaps().stream().mapToObj(sites::get).toList();
        }
    }
}
