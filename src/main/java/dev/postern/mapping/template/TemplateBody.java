package dev.postern.mapping.template;

/** What a template does when it is rendered. */
interface TemplateBody {

    /** Gives the text, or what was wrong; notes the places without a value in {@code allowance}. */
    RenderResult render(TemplateInput input, RenderBudget renderBudget);

    /** Always gives the same text. */
    boolean isConstant();
}
