package dev.postern.mapping.template;

import java.util.List;

/**
 * A template that can be rendered, by any number of threads at once. A rendering takes at most 0.2 s and 64 MiB, gives at
 * most {@value #MAX_OUTPUT} characters, and ends with an outcome whatever the payload holds.
 */
public final class Template implements CompileResult {

    /** Characters that a template may give. */
    public static final int MAX_OUTPUT = 256 * 1024;

    private final TemplateBody body;
    private final List<TemplateWarning> doubts;
    private final List<MissingValue> sites;

    Template(TemplateBody body, CompileContext compileContext) {
        this.body = body;
        this.doubts = List.copyOf(compileContext.doubts);
        this.sites = List.copyOf(compileContext.sites);
    }

    /** The text for one request. A missing value is empty, an object or array is JSON, a number is as it was sent. */
    public RenderResult render(TemplateInput input) {
        try (RenderBudget renderBudget = new RenderBudget()) {
            return body.render(input, renderBudget);
        }
    }

    /** True if the template holds nothing to fill in, and so always gives the same text. */
    public boolean isConstant() {
        return body.isConstant();
    }

    /** What looks like something that it isn't, in the order of the text; for warnings at start. */
    public List<TemplateWarning> doubts() {
        return doubts;
    }

    /**
     * The places that had no value when rendered for {@code sample}, in the order of the text. What the rendering did not come by
     * isn't among them, nor is what the template itself asks for with {@code ??} or gives another value with {@code !}.
     */
    public List<MissingValue> gaps(TemplateInput sample) {
        try (RenderBudget renderBudget = new RenderBudget()) {
            body.render(sample, renderBudget);
            return renderBudget.gaps().stream().mapToObj(sites::get).toList();
        }
    }
}
