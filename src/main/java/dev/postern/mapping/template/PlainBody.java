package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A template body of text and placeholders only, which needs no FreeMarker. */
record PlainBody(List<TemplatePiece> pieces) implements TemplateBody {

    PlainBody {
        pieces = List.copyOf(pieces);
    }

    @Override
    public RenderResult render(TemplateInput input, RenderBudget renderBudget) {
        BoundedWriter text = new BoundedWriter(Template.MAX_OUTPUT);
        TemplatePosition templatePosition = TemplatePosition.START;
        try {
            for (TemplatePiece piece : pieces) {
                if (piece instanceof TemplatePiece.Literal literal) {
                    text.write(literal.text());
                } else if (piece instanceof TemplatePiece.Placeholder placeholder) {
                    templatePosition = placeholder.place();
                    text.write(value(placeholder.lookup(), input, renderBudget));
                }
            }
            return new RenderResult.Text(text.toString());
        } catch (BudgetExceededException e) {
            return new RenderResult.Failed(templatePosition, e.sentence());
        } catch (StackOverflowError e) {
            return new RenderResult.Failed(templatePosition, GuardedBody.TOO_DEEP);
        }
    }

    private static String value(PlaceholderPath placeholderPath, TemplateInput input, RenderBudget renderBudget) {
        JsonNode found = placeholderPath.find(input);
        if (ValueFormatter.isNothing(found)) {
            renderBudget.gap(placeholderPath.site());
        }
        return ValueFormatter.of(found);
    }

    @Override
    public boolean isConstant() {
        return pieces.stream().allMatch(TemplatePiece.Literal.class::isInstance);
    }
}
