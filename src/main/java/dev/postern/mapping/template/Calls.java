package dev.postern.mapping.template;

import com.fasterxml.jackson.databind.JsonNode;
import freemarker.template.SimpleDate;
import freemarker.template.SimpleScalar;
import freemarker.template.TemplateCollectionModel;
import freemarker.template.TemplateCollectionModelEx;
import freemarker.template.TemplateDateModel;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateMethodModelEx;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import freemarker.template.TemplateSequenceModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a guarded template can reach: the request's names, and the functions that {@link ExpressionGuard} writes around its
 * expressions, whose names begin with {@code __}. Made for one rendering.
 */
final class Calls implements TemplateHashModel {

    private final TemplateInput input;
    private final Allowance allowance;
    private final List<String> literals;
    private final List<Lookup> lookups;
    private final Function value = new Function(this::value);
    private final Function text = new Function(this::text);

    Calls(TemplateInput input, Allowance allowance, List<String> literals, List<Lookup> lookups) {
        this.input = input;
        this.allowance = allowance;
        this.literals = literals;
        this.lookups = lookups;
    }

    @Override
    public @Nullable TemplateModel get(String name) {
        return name.startsWith("__") ? function(name) : named(name);
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    private @Nullable TemplateModel named(String name) {
        TemplateModel found = Values.of(input.named(name), allowance);
        return name.equals("headers") && found instanceof Values.Fields fields
                ? new Values.Headers(fields, input)
                : found;
    }

    private @Nullable TemplateModel function(String name) {
        Building building = new Building(allowance);
        Lists lists = new Lists(allowance);
        Wording wording = new Wording(allowance);
        return switch (name) {
            case "__none" -> Values.NONE;
            case "__value" -> value;
            case "__text" -> text;
            case "__raw" -> new Function(this::raw);
            case "__literal" -> new Function(args -> new SimpleScalar(literals.get(number(args))));
            case "__lookup" -> new Function(this::lookup);
            case "__plus" -> new Function(args -> building.plus(model(args, 0), model(args, 1)));
            case "__same" -> new Function(args -> Sameness.of(model(args, 0), model(args, 1)));
            case "__joined" -> new Function(building::joined);
            case "__lower_case", "__c_lower_case" -> new Function(wording::lower);
            case "__upper_case", "__c_upper_case" -> new Function(wording::upper);
            case "__capitalize" -> new Function(wording::capitalized);
            case "__sought" -> new Function(wording::sought);
            case "__moment" -> new Function(wording::moment);
            case "__replace" -> new Function(building::replace);
            case "__left_pad" -> new Function(args -> building.pad(args, true));
            case "__right_pad" -> new Function(args -> building.pad(args, false));
            case "__join" -> new Function(lists::join);
            case "__item" -> new Function(Lists::item);
            case "__range" -> new Function(lists::range);
            case "__slice" -> new Function(lists::slice);
            case "__sort", "__sort_by" -> new Function(lists::sort);
            case "__seq_contains" -> new Function(lists::contains);
            default -> null;
        };
    }

    /** A value where one is needed; notes the place that had none. */
    private TemplateModel value(List<?> arguments) throws TemplateModelException {
        TemplateModel model = raw(arguments);
        if (model == null) {
            if (arguments.size() > 1) {
                allowance.gap(
                        ((TemplateNumberModel) arguments.get(1)).getAsNumber().intValue());
            }
            return Values.NONE;
        }
        return model;
    }

    /** A value, or none; counted against the allowance where the template has made it. */
    private @Nullable TemplateModel raw(List<?> arguments) throws TemplateModelException {
        TemplateModel model = model(arguments, 0);
        allowance.tick();
        if (model == null || model == Values.NONE) {
            return null;
        }
        return model instanceof Values.Json ? model : made(model);
    }

    /** Leaves nothing of a value but itself: what {@code ?string} and {@code ?datetime} give can be called, for one. */
    private TemplateModel made(TemplateModel model) throws TemplateModelException {
        if (model instanceof TemplateDateModel made) {
            return new SimpleDate(made.getAsDate(), made.getDateType());
        }
        if (model instanceof TemplateScalarModel made) {
            String words = allowance.text(made.getAsString());
            return model instanceof SimpleScalar ? model : new SimpleScalar(words);
        }
        if (model instanceof TemplateSequenceModel made) {
            allowance.items(made.size());
        } else if (model instanceof TemplateCollectionModelEx made) {
            allowance.items(made.size());
        } else if (model instanceof TemplateCollectionModel) {
            throw new Fault("A list is needed here that has been made in full.");
        }
        return model;
    }

    /** A value as it is shown. */
    private TemplateModel text(List<?> arguments) throws TemplateModelException {
        TemplateModel model = value(arguments);
        if (model instanceof TemplateDateModel || (model instanceof TemplateScalarModel && model != Values.NONE)) {
            return model;
        }
        return new SimpleScalar(allowance.text(Building.shown(model)));
    }

    private TemplateModel lookup(List<?> arguments) throws TemplateModelException {
        int index = number(arguments);
        JsonNode found = lookups.get(index).find(input);
        if (JsonText.isNothing(found)) {
            allowance.gap(lookups.get(index).site());
        }
        return new SimpleScalar(JsonText.of(found));
    }

    private static int number(List<?> arguments) throws TemplateModelException {
        return Building.integer(model(arguments, 0));
    }

    private static @Nullable TemplateModel model(List<?> arguments, int index) {
        return index < arguments.size() ? (TemplateModel) arguments.get(index) : null;
    }

    /** What a function does. */
    private interface Body {
        @Nullable
        Object of(List<?> arguments) throws TemplateModelException;
    }

    private record Function(Body body) implements TemplateMethodModelEx {

        @Override
        @SuppressWarnings("rawtypes")
        public @Nullable Object exec(List arguments) throws TemplateModelException {
            return body.of(arguments);
        }
    }
}
