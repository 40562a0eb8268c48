package dev.postern.mapping.template;

import java.util.List;

/**
 * A template that can be rendered, by any number of threads at once. A rendering takes at most 0.2 s and 64 MiB, gives at
 * most {@value #MAX_OUTPUT} characters, and ends with an outcome whatever the payload holds.
 */
public final class Template implements Compiled {

    /** Characters that a template may give. */
    public static final int MAX_OUTPUT = 256 * 1024;

    private final Body body;
    private final List<Doubt> doubts;
    private final List<Gap> sites;

    Template(Body body, Draft draft) {
        this.body = body;
        this.doubts = List.copyOf(draft.doubts);
        this.sites = List.copyOf(draft.sites);
    }

    /** The text for one request. A missing value is empty, an object or array is JSON, a number is as it was sent. */
    public Rendered render(TemplateInput input) {
        try (Allowance allowance = new Allowance()) {
            return body.render(input, allowance);
        }
    }

    /** True if the template holds nothing to fill in, and so always gives the same text. */
    public boolean isConstant() {
        return body.isConstant();
    }

    /** What looks like something that it isn't, in the order of the text; for warnings at start. */
    public List<Doubt> doubts() {
        return doubts;
    }

    /**
     * The places that had no value when rendered for {@code sample}, in the order of the text. What the rendering did not come by
     * isn't among them, nor is what the template itself asks for with {@code ??} or gives another value with {@code !}.
     */
    public List<Gap> gaps(TemplateInput sample) {
        try (Allowance allowance = new Allowance()) {
            body.render(sample, allowance);
            return allowance.gaps().stream().mapToObj(sites::get).toList();
        }
    }
}
