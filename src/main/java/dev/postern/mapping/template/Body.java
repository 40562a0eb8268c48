package dev.postern.mapping.template;

/** What a template does when it is rendered. */
interface Body {

    /** Gives the text, or what was wrong; notes the places without a value in {@code allowance}. */
    Rendered render(TemplateInput input, Allowance allowance);

    /** Always gives the same text. */
    boolean isConstant();
}
