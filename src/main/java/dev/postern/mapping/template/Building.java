package dev.postern.mapping.template;

import freemarker.template.SimpleHash;
import freemarker.template.SimpleNumber;
import freemarker.template.SimpleScalar;
import freemarker.template.SimpleSequence;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateException;
import freemarker.template.TemplateHashModelEx;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateModelIterator;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import freemarker.template.TemplateSequenceModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations that make longer texts, lists and hashes of shorter ones, each within the allowance. */
record Building(Allowance allowance) {

    /** Far more than any list has items, and small enough to be added to another. */
    private static final int MAX_INT = 1_000_000_000;

    /** FreeMarker's {@code +}: numbers are added, lists and hashes joined, everything else becomes text. */
    TemplateModel plus(@Nullable TemplateModel left, @Nullable TemplateModel right) throws TemplateModelException {
        if (left == null || left == Values.NONE) {
            return right == null ? Values.NONE : right;
        }
        if (right == null || right == Values.NONE) {
            return left;
        }
        if (left instanceof TemplateNumberModel a && right instanceof TemplateNumberModel b) {
            return sum(a.getAsNumber(), b.getAsNumber());
        }
        if (left instanceof TemplateSequenceModel a && right instanceof TemplateSequenceModel b) {
            SimpleSequence all = new SimpleSequence(a.size() + b.size(), Engine.WRAPPER);
            addAll(a, all);
            addAll(b, all);
            return all;
        }
        if (left instanceof TemplateHashModelEx a && right instanceof TemplateHashModelEx b) {
            SimpleHash all = new SimpleHash(Engine.WRAPPER);
            putAll(a, all);
            putAll(b, all);
            allowance.items(all.size());
            return all;
        }
        return scalar(new StringBuilder(shown(left)).append(shown(right)));
    }

    private static TemplateModel sum(Number left, Number right) throws TemplateModelException {
        try {
            return new SimpleNumber(Arithmetic.INSTANCE.add(left, right));
        } catch (TemplateModelException e) {
            throw e;
        } catch (TemplateException e) {
            throw new TemplateModelException("numbers that can't be added", e);
        }
    }

    private void addAll(TemplateSequenceModel from, SimpleSequence to) throws TemplateModelException {
        allowance.items(from.size());
        for (int i = 0; i < from.size(); i++) {
            to.add(from.get(i));
        }
    }

    private void putAll(TemplateHashModelEx from, SimpleHash to) throws TemplateModelException {
        allowance.items(from.size());
        for (TemplateModelIterator keys = from.keys().iterator(); keys.hasNext(); ) {
            String key = shown(keys.next());
            to.put(key, from.get(key));
        }
    }

    /** A string with placeholders in it. */
    TemplateModel joined(List<?> parts) throws TemplateModelException {
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            text.append(shown((TemplateModel) part));
        }
        return scalar(text);
    }

    /** Text, what to look for, what to put there. */
    @Nullable
    TemplateModel replace(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) == null) {
            return null;
        }
        String text = shown((TemplateModel) arguments.get(0));
        String old = Wording.sought(shown((TemplateModel) arguments.get(1)));
        String by = shown((TemplateModel) arguments.get(2));
        if (old.isEmpty()) {
            return new SimpleScalar(text);
        }
        BoundedText result = new BoundedText(Allowance.MAX_TEXT);
        int start = 0;
        for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, start)) {
            allowance.tick();
            result.write(text, start, at - start);
            result.write(by);
            start = at + old.length();
        }
        result.write(text, start, text.length() - start);
        return new SimpleScalar(allowance.text(result.toString()));
    }

    /** Text, the length to reach, what to fill up with. */
    @Nullable
    TemplateModel pad(List<?> arguments, boolean left) throws TemplateModelException {
        if (arguments.get(0) == null) {
            return null;
        }
        String text = shown((TemplateModel) arguments.get(0));
        int missing = integer((TemplateModel) arguments.get(1)) - text.length();
        String filling = arguments.size() > 2 ? shown((TemplateModel) arguments.get(2)) : " ";
        if (missing <= 0 || filling.isEmpty()) {
            return new SimpleScalar(text);
        }
        if (missing > Allowance.MAX_TEXT) {
            throw new Stopped("The template builds a text of more than " + Allowance.MAX_TEXT + " characters.");
        }
        String padding = filling.repeat(missing / filling.length() + 1).substring(0, missing);
        return new SimpleScalar(allowance.text(left ? padding + text : text + padding));
    }

    private SimpleScalar scalar(StringBuilder text) {
        return new SimpleScalar(allowance.text(text.toString()));
    }

    /** A value's text, whatever it is. */
    static String shown(@Nullable TemplateModel model) throws TemplateModelException {
        if (model == null || model == Values.NONE) {
            return "";
        }
        if (model instanceof Values.Json sent) {
            return JsonText.of(sent.node());
        }
        if (model instanceof TemplateScalarModel scalar) {
            return scalar.getAsString();
        }
        if (model instanceof TemplateNumberModel number) {
            return JsonText.number(number.getAsNumber());
        }
        return model instanceof TemplateBooleanModel bool ? Boolean.toString(bool.getAsBoolean()) : JsonText.of(model);
    }

    /** A whole number, cut off at what an int holds. */
    static int integer(@Nullable TemplateModel model) throws TemplateModelException {
        if (model instanceof TemplateNumberModel number) {
            return (int)
                    Math.max(-MAX_INT, Math.min(MAX_INT, number.getAsNumber().doubleValue()));
        }
        throw new Fault("A number is needed here.");
    }
}
