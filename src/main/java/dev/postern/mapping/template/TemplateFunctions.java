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
import freemarker.template.TemplateScalarModel;
import freemarker.template.TemplateSequenceModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions and names that a guarded template can reach: the request's names, and the functions that
 * {@link ExpressionRewriter} writes around expressions, whose names begin with {@code __}. An instance serves one
 * rendering.
 */
final class TemplateFunctions implements TemplateHashModel {

    private final TemplateInput input;
    private final RenderBudget renderBudget;
    private final List<String> literals;
    private final List<PlaceholderPath> lookups;
    private final Function value = new Function(this::value);
    private final Function text = new Function(this::text);

    TemplateFunctions(
            TemplateInput input, RenderBudget renderBudget, List<String> literals, List<PlaceholderPath> lookups) {
        this.input = input;
        this.renderBudget = renderBudget;
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
        TemplateModel found = JsonTemplateModels.of(input.named(name), renderBudget);
        return name.equals("headers") && found instanceof JsonTemplateModels.Fields fields
                ? new JsonTemplateModels.Headers(fields, input)
                : found;
    }

    private @Nullable TemplateModel function(String name) {
        ConcatFunctions concatFunctions = new ConcatFunctions(renderBudget);
        ListFunctions listFunctions = new ListFunctions(renderBudget);
        SearchFunctions search = new SearchFunctions(renderBudget);
        StringFunctions stringFunctions = new StringFunctions(renderBudget);
        return switch (name) {
            case "__none" -> JsonTemplateModels.NONE;
            case "__value" -> value;
            case "__text" -> text;
            case "__raw" -> new Function(this::raw);
            case "__literal" ->
                new Function(args -> new SimpleScalar(literals.get(DecimalArithmetic.integer(args.get(0)))));
            case "__lookup" -> new Function(this::lookup);
            case "__plus" -> new Function(args -> concatFunctions.plus(args.get(0), args.get(1)));
            case "__same" -> new Function(args -> LooseEquality.of(args.get(0), args.get(1)));
            case "__which" -> new Function(LooseEquality::which);
            case "__joined" -> new Function(concatFunctions::joined);
            case "__moment" -> new Function(StringFunctions::moment);
            case "__item" -> new Function(ListFunctions::item);
            case "__range" -> new Function(listFunctions::range);
            case "__slice" -> builtIn(listFunctions::slice);
            case "__join" -> builtIn(listFunctions::join);
            case "__sort", "__sort_by" -> builtIn(listFunctions::sort);
            case "__seq_contains" -> builtIn(listFunctions::contains);
            case "__left_pad" -> builtIn(args -> concatFunctions.pad(args, true));
            case "__right_pad" -> builtIn(args -> concatFunctions.pad(args, false));
            case "__lower_case", "__c_lower_case" -> builtIn(stringFunctions::lower);
            case "__upper_case", "__c_upper_case" -> builtIn(stringFunctions::upper);
            case "__capitalize" -> builtIn(stringFunctions::capitalized);
            case "__word_list" -> builtIn(stringFunctions::words);
            case "__contains" -> builtIn(search::contains);
            case "__index_of" -> builtIn(search::indexOf);
            case "__last_index_of" -> builtIn(search::lastIndexOf);
            case "__keep_before" -> builtIn(args -> search.keepBefore(args, false));
            case "__keep_before_last" -> builtIn(args -> search.keepBefore(args, true));
            case "__keep_after" -> builtIn(args -> search.keepAfter(args, false));
            case "__keep_after_last" -> builtIn(args -> search.keepAfter(args, true));
            case "__split" -> builtIn(search::split);
            case "__replace" -> builtIn(search::replace);
            default -> null;
        };
    }

    /** A function that gives a missing value for a missing input. */
    private Function builtIn(Operation operation) {
        return new Function(arguments -> arguments.get(0) == null ? null : operation.of(arguments));
    }

    /** The value, or the stand-in for a missing one. Records the position that had no value. */
    private TemplateModel value(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        TemplateModel model = raw(arguments);
        if (model == null) {
            if (arguments.size() > 1) {
                renderBudget.gap(DecimalArithmetic.integer(arguments.get(1)));
            }
            return JsonTemplateModels.NONE;
        }
        return model;
    }

    /** The value, or null if it is missing. A value that the template has made is checked against the limits. */
    private @Nullable TemplateModel raw(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        TemplateModel model = arguments.get(0);
        if (model == null || model == JsonTemplateModels.NONE) {
            return null;
        }
        return model instanceof JsonTemplateModels.Json ? model : made(model);
    }

    /**
     * Reduces a value to its plain content. The results of {@code ?string} and {@code ?datetime}, for example, could be
     * called.
     */
    private TemplateModel made(TemplateModel model) throws TemplateModelException {
        if (model instanceof TemplateDateModel made) {
            return new SimpleDate(made.getAsDate(), made.getDateType());
        }
        if (model instanceof TemplateScalarModel made) {
            String words = renderBudget.text(made.getAsString());
            return model instanceof SimpleScalar ? model : new SimpleScalar(words);
        }
        if (model instanceof TemplateSequenceModel made) {
            renderBudget.items(made.size());
        } else if (model instanceof TemplateCollectionModelEx made) {
            renderBudget.items(made.size());
        } else if (model instanceof TemplateCollectionModel) {
            throw new RenderException("A list is needed here that has been made in full.");
        }
        return model;
    }

    /** The value formatted as text. */
    private TemplateModel text(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        TemplateModel model = value(arguments);
        if (model instanceof TemplateScalarModel && model != JsonTemplateModels.NONE) {
            return model;
        }
        return new SimpleScalar(renderBudget.text(ValueFormatter.of(model)));
    }

    private TemplateModel lookup(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        int index = DecimalArithmetic.integer(arguments.get(0));
        JsonNode found = lookups.get(index).find(input);
        if (ValueFormatter.isNothing(found)) {
            renderBudget.gap(lookups.get(index).site());
        }
        return new SimpleScalar(ValueFormatter.of(found));
    }

    /** An operation that a function runs. */
    private interface Operation {
        @Nullable
        TemplateModel of(List<@Nullable TemplateModel> arguments) throws TemplateModelException;
    }

    private final class Function implements TemplateMethodModelEx {

        private final Operation operation;

        Function(Operation operation) {
            this.operation = operation;
        }

        @Override
        @SuppressWarnings({"rawtypes", "unchecked"}) // FreeMarker passes models to this kind of method
        public @Nullable Object exec(List arguments) throws TemplateModelException {
            renderBudget.tick();
            return operation.of((List<@Nullable TemplateModel>) arguments);
        }
    }
}
