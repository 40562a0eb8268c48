package dev.postern.mapping.template;

import freemarker.template.SimpleScalar;
import freemarker.template.SimpleSequence;
import freemarker.template.TemplateBooleanModel;
import freemarker.template.TemplateCollectionModel;
import freemarker.template.TemplateHashModel;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateModelIterator;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import freemarker.template.TemplateSequenceModel;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list functions that replace FreeMarker's own, which a payload could make run without limit. */
record ListFunctions(RenderBudget budget) {

    /**
     * The item of a list at an index, the field of an object by its name, or the character of a text at an index. Any other
     * two arguments give null.
     */
    static @Nullable TemplateModel item(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        TemplateModel whole = arguments.get(0);
        TemplateModel key = arguments.get(1);
        if (key instanceof TemplateNumberModel number && key != JsonTemplateModels.NONE) {
            int index = DecimalArithmetic.integer(number);
            if (whole instanceof TemplateSequenceModel sequence) {
                return index >= 0 && index < sequence.size() ? sequence.get(index) : null;
            }
            String text = whole instanceof TemplateScalarModel scalar ? scalar.getAsString() : "";
            return index >= 0 && index < text.length() ? new SimpleScalar(text.substring(index, index + 1)) : null;
        }
        return whole instanceof TemplateHashModel hash
                        && key instanceof TemplateScalarModel name
                        && key != JsonTemplateModels.NONE
                ? hash.get(name.getAsString())
                : null;
    }

    /**
     * Joins the items of a list, without the missing ones. The arguments are the list, the separator, the text for an empty
     * list, and the text at the end of any other.
     */
    TemplateModel join(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        String separator = ValueFormatter.of(arguments.get(1));
        BoundedWriter text = new BoundedWriter(RenderBudget.MAX_TEXT);
        boolean first = true;
        for (TemplateModel item : items(arguments.get(0))) {
            budget.tick();
            if (item != null && item != JsonTemplateModels.NONE) {
                text.write(first ? "" : separator);
                text.write(ValueFormatter.of(item));
                first = false;
            }
        }
        int more = first ? 2 : 3;
        text.write(arguments.size() > more ? ValueFormatter.of(arguments.get(more)) : "");
        return new SimpleScalar(text.toString());
    }

    /**
     * The numbers of a range. The arguments are the first number, the last number or the count, and FreeMarker's operator,
     * which says which of the two it is.
     */
    TemplateModel range(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        int from = DecimalArithmetic.integer(arguments.get(0));
        int end = end(from, arguments, 1);
        int step = end < from ? -1 : 1;
        budget.items(Math.abs(end - from));
        SimpleSequence numbers = new SimpleSequence(Math.abs(end - from), TemplateEngine.WRAPPER);
        for (int i = from; i != end; i += step) {
            numbers.add(i);
        }
        return numbers;
    }

    /**
     * The part of a text or a list, as far as it exists. The arguments are the text or list and the first index. The last
     * index or the count may follow, with FreeMarker's operator, which says which of the two it is.
     */
    TemplateModel slice(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        if (arguments.get(0) instanceof TemplateSequenceModel list) {
            int end = sliceEnd(list.size(), arguments);
            int start = sliceStart(end, arguments);
            return sequence(list, start, end);
        }
        String text = ValueFormatter.of(arguments.get(0));
        int end = sliceEnd(text.length(), arguments);
        return new SimpleScalar(budget.text(text.substring(sliceStart(end, arguments), end)));
    }

    private static int sliceEnd(int size, List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        int from = DecimalArithmetic.integer(arguments.get(1));
        return arguments.size() == 2 ? size : Math.max(0, Math.min(size, end(from, arguments, 2)));
    }

    private static int sliceStart(int end, List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        return Math.max(0, Math.min(end, DecimalArithmetic.integer(arguments.get(1))));
    }

    private SimpleSequence sequence(TemplateSequenceModel list, int start, int end) throws TemplateModelException {
        budget.items(end - start);
        SimpleSequence part = new SimpleSequence(end - start, TemplateEngine.WRAPPER);
        for (int i = start; i < end; i++) {
            part.add(list.get(i));
        }
        return part;
    }

    /** The index after the last one. */
    private static int end(int from, List<@Nullable TemplateModel> arguments, int at) throws TemplateModelException {
        int bound = DecimalArithmetic.integer(arguments.get(at));
        return switch (ValueFormatter.of(arguments.get(at + 1))) {
            case "..*" -> from + bound;
            case "..<" -> bound;
            default -> bound < from ? bound - 1 : bound + 1;
        };
    }

    /**
     * Sorts a list: numbers first, then text without regard to case. The arguments are the list and, if its items are
     * hashes, the name of the field that decides.
     */
    TemplateModel sort(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        String field = arguments.size() > 1 ? ValueFormatter.of(arguments.get(1)) : null;
        List<Keyed> keyed = new ArrayList<>();
        for (TemplateModel item : items(arguments.get(0))) {
            budget.tick();
            keyed.add(keyed(item, field));
        }
        Comparator<Keyed> order = Keyed.ORDER;
        keyed.sort((a, b) -> {
            budget.tick();
            return order.compare(a, b);
        });
        SimpleSequence sorted = new SimpleSequence(keyed.size(), TemplateEngine.WRAPPER);
        keyed.forEach(each -> sorted.add(each.item()));
        return sorted;
    }

    private record Keyed(TemplateModel item, @Nullable BigDecimal number, String text) {

        static final Comparator<Keyed> ORDER = Comparator.comparing(
                        Keyed::number, Comparator.nullsLast(Comparator.<BigDecimal>naturalOrder()))
                .thenComparing(Keyed::text, String.CASE_INSENSITIVE_ORDER)
                .thenComparing(Keyed::text);
    }

    private static Keyed keyed(@Nullable TemplateModel item, @Nullable String field) throws TemplateModelException {
        TemplateModel key = item;
        if (field != null) {
            key = item instanceof TemplateHashModel hash ? hash.get(field) : null;
        }
        TemplateModel present = item == null ? JsonTemplateModels.NONE : item;
        return key instanceof TemplateNumberModel number && key != JsonTemplateModels.NONE
                ? new Keyed(present, new BigDecimal(ValueFormatter.number(number.getAsNumber())), "")
                : new Keyed(present, null, ValueFormatter.of(key));
    }

    /** Whether a list contains a value. The arguments are the list and the value. */
    TemplateModel contains(List<@Nullable TemplateModel> arguments) throws TemplateModelException {
        for (TemplateModel item : items(arguments.get(0))) {
            budget.tick();
            if (LooseEquality.of(item, arguments.get(1)) == TemplateBooleanModel.TRUE) {
                return TemplateBooleanModel.TRUE;
            }
        }
        return TemplateBooleanModel.FALSE;
    }

    private List<@Nullable TemplateModel> items(@Nullable TemplateModel list) throws TemplateModelException {
        List<@Nullable TemplateModel> items = new ArrayList<>();
        if (list instanceof TemplateSequenceModel sequence) {
            budget.items(sequence.size());
            for (int i = 0; i < sequence.size(); i++) {
                items.add(sequence.get(i));
            }
        } else if (list instanceof TemplateCollectionModel collection) {
            for (TemplateModelIterator each = collection.iterator(); each.hasNext(); ) {
                items.add(each.next());
                budget.items(items.size());
            }
        } else {
            throw new RenderException("A list is needed here.");
        }
        return items;
    }
}
