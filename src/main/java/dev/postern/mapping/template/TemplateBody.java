package dev.postern.mapping.template;

/** A body of a template, which renders the text. */
interface TemplateBody {

    /** Renders the text, or returns the error. Records the positions without a value in {@code renderBudget}. */
    RenderResult render(TemplateInput input, RenderBudget renderBudget);

    /** Whether it always gives the same text. */
    boolean isConstant();
}
