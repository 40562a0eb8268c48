package dev.postern.mapping.template;

import freemarker.template.SimpleHash;
import freemarker.template.SimpleNumber;
import freemarker.template.SimpleScalar;
import freemarker.template.SimpleSequence;
import freemarker.template.TemplateException;
import freemarker.template.TemplateHashModelEx;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateModelIterator;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateSequenceModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions that build longer texts, lists and hashes from shorter ones, each within the budget. */
record ConcatFunctions(RenderBudget budget) {

    /** Applies FreeMarker's {@code +}: adds numbers, joins lists and hashes, and turns everything else into text. */
    TemplateModel plus(@Nullable TemplateModel left, @Nullable TemplateModel right) throws TemplateModelException {
        if (left == null || left == JsonTemplateModels.NONE) {
            return right == null ? JsonTemplateModels.NONE : right;
        }
        if (right == null || right == JsonTemplateModels.NONE) {
            return left;
        }
        if (left instanceof TemplateNumberModel a && right instanceof TemplateNumberModel b) {
            return sum(a.getAsNumber(), b.getAsNumber());
        }
        if (left instanceof TemplateSequenceModel a && right instanceof TemplateSequenceModel b) {
            SimpleSequence all = new SimpleSequence(TemplateEngine.WRAPPER);
            addAll(a, all);
            addAll(b, all);
            return all;
        }
        if (left instanceof TemplateHashModelEx a && right instanceof TemplateHashModelEx b) {
            SimpleHash all = new SimpleHash(TemplateEngine.WRAPPER);
            putAll(a, all);
            putAll(b, all);
            return all;
        }
        return new SimpleScalar(budget.text(ValueFormatter.of(left).concat(ValueFormatter.of(right))));
    }

    private static TemplateModel sum(Number left, Number right) throws TemplateModelException {
        try {
            return new SimpleNumber(DecimalArithmetic.INSTANCE.add(left, right));
        } catch (TemplateModelException e) {
            throw e;
        } catch (TemplateException e) {
            throw new TemplateModelException("numbers that can't be added", e);
        }
    }

    private void addAll(TemplateSequenceModel from, SimpleSequence to) throws TemplateModelException {
        budget.items(from.size() + to.size());
        for (int i = 0; i < from.size(); i++) {
            to.add(from.get(i));
        }
    }

    private void putAll(TemplateHashModelEx from, SimpleHash to) throws TemplateModelException {
        budget.items(from.size() + to.size());
        for (TemplateModelIterator keys = from.keys().iterator(); keys.hasNext(); ) {
            String key = ValueFormatter.of(keys.next());
            to.put(key, from.get(key));
        }
    }

    /** Joins the parts of a string with placeholders, each formatted as text. */
    TemplateModel joined(List<@Nullable TemplateModel> parts) throws TemplateModelException {
        BoundedWriter text = new BoundedWriter(RenderBudget.MAX_TEXT);
        for (TemplateModel part : parts) {
            budget.tick();
            text.write(ValueFormatter.of(part));
        }
        return new SimpleScalar(text.toString());
    }

    /** Pads a text. The arguments are the text, the target length, and the filling, which is a space by default. */
    TemplateModel pad(List<@Nullable TemplateModel> arguments, boolean left) throws TemplateModelException {
        String text = ValueFormatter.of(arguments.get(0));
        int missing = DecimalArithmetic.integer(arguments.get(1)) - text.length();
        String filling = arguments.size() > 2 ? ValueFormatter.of(arguments.get(2)) : " ";
        if (missing <= 0 || filling.isEmpty()) {
            return new SimpleScalar(text);
        }
        BoundedWriter padded = new BoundedWriter(RenderBudget.MAX_TEXT);
        padded.write(left ? "" : text);
        for (int rest = missing; rest > 0; rest -= filling.length()) {
            padded.write(filling, 0, Math.min(rest, filling.length()));
        }
        padded.write(left ? text : "");
        return new SimpleScalar(padded.toString());
    }
}
