package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Text and placeholders, without any FreeMarker. */
record PlainBody(List<Piece> pieces) implements Body {

    PlainBody {
        pieces = List.copyOf(pieces);
    }

    @Override
    public Rendered render(TemplateInput input, Allowance allowance) {
        BoundedText text = new BoundedText(Template.MAX_OUTPUT);
        Place place = Place.START;
        try {
            for (Piece piece : pieces) {
                if (piece instanceof Piece.Literal literal) {
                    text.write(literal.text());
                } else if (piece instanceof Piece.Placeholder placeholder) {
                    place = placeholder.place();
                    text.write(value(placeholder.lookup(), input, allowance));
                }
            }
            return new Rendered.Text(text.toString());
        } catch (Stopped e) {
            return new Rendered.Failed(place, e.sentence());
        } catch (StackOverflowError e) {
            return new Rendered.Failed(place, GuardedBody.TOO_DEEP);
        }
    }

    private static String value(Lookup lookup, TemplateInput input, Allowance allowance) {
        JsonNode found = lookup.find(input);
        if (JsonText.isNothing(found)) {
            allowance.gap(lookup.site());
        }
        return JsonText.of(found);
    }

    @Override
    public boolean isConstant() {
        return pieces.stream().allMatch(Piece.Literal.class::isInstance);
    }
}
