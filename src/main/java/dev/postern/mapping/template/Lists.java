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

/** The operations on lists that FreeMarker's own built-ins could be made to run away with. A missing list gives null. */
record Lists(Allowance allowance) {

    /** A list and an index, an object and a name, or a text and an index; null for every other two. */
    static @Nullable TemplateModel item(List<?> arguments) throws TemplateModelException {
        Object whole = arguments.get(0);
        Object key = arguments.get(1);
        if (key instanceof TemplateNumberModel number && key != Values.NONE) {
            int index = Building.integer(number);
            if (whole instanceof TemplateSequenceModel sequence) {
                return index >= 0 && index < sequence.size() ? sequence.get(index) : null;
            }
            String text = whole instanceof TemplateScalarModel scalar ? scalar.getAsString() : "";
            return index >= 0 && index < text.length() ? new SimpleScalar(text.substring(index, index + 1)) : null;
        }
        return whole instanceof TemplateHashModel hash && key instanceof TemplateScalarModel name && key != Values.NONE
                ? hash.get(name.getAsString())
                : null;
    }

    /** A list and what to put between its items; missing items are left out. */
    @Nullable
    TemplateModel join(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) == null) {
            return null;
        }
        String separator = Building.shown((TemplateModel) arguments.get(1));
        BoundedText text = new BoundedText(Allowance.MAX_TEXT);
        boolean first = true;
        for (TemplateModel item : items(arguments.get(0))) {
            allowance.tick();
            if (item != null && item != Values.NONE) {
                text.write(first ? "" : separator);
                text.write(Building.shown(item));
                first = false;
            }
        }
        return new SimpleScalar(allowance.text(text.toString()));
    }

    /** First number, last one or how many, and which of these it is, as FreeMarker's operator has it. */
    TemplateModel range(List<?> arguments) throws TemplateModelException {
        int from = Building.integer((TemplateModel) arguments.get(0));
        int end = end(from, arguments, 1);
        int step = end < from ? -1 : 1;
        allowance.items(Math.abs(end - from));
        SimpleSequence numbers = new SimpleSequence(Math.abs(end - from), Engine.WRAPPER);
        for (int i = from; i != end; i += step) {
            numbers.add(i);
        }
        return numbers;
    }

    /** A text or a list, first index, last one or how many if any, and which of these it is; what there is of it. */
    @Nullable
    TemplateModel slice(List<?> arguments) throws TemplateModelException {
        Object whole = arguments.get(0);
        if (whole == null) {
            return null;
        }
        List<@Nullable TemplateModel> items = whole instanceof TemplateSequenceModel ? items(whole) : List.of();
        String text = whole instanceof TemplateSequenceModel ? "" : Building.shown((TemplateModel) whole);
        int size = Math.max(items.size(), text.length());
        int from = Building.integer((TemplateModel) arguments.get(1));
        int end = arguments.size() == 2 ? size : Math.min(size, end(from, arguments, 2));
        int start = Math.max(0, Math.min(from, end));
        if (!(whole instanceof TemplateSequenceModel)) {
            return new SimpleScalar(allowance.text(text.substring(start, Math.max(start, end))));
        }
        return sequence(items.subList(start, Math.max(start, end)));
    }

    /** The index after the last one. */
    private static int end(int from, List<?> arguments, int at) throws TemplateModelException {
        int bound = Building.integer((TemplateModel) arguments.get(at));
        return switch (Building.shown((TemplateModel) arguments.get(at + 1))) {
            case "..*" -> from + bound;
            case "..<" -> bound;
            default -> bound < from ? bound - 1 : bound + 1;
        };
    }

    /** A list, and the name of the field that decides if its items are hashes. Numbers first, then text without case. */
    @Nullable
    TemplateModel sort(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) == null) {
            return null;
        }
        String field = arguments.size() > 1 ? Building.shown((TemplateModel) arguments.get(1)) : null;
        List<Keyed> keyed = new ArrayList<>();
        for (TemplateModel item : items(arguments.get(0))) {
            keyed.add(keyed(item, field));
        }
        Comparator<Keyed> order = Keyed.ORDER;
        keyed.sort((a, b) -> {
            allowance.tick();
            return order.compare(a, b);
        });
        return sequence(keyed.stream().map(Keyed::item).toList());
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
        TemplateModel present = item == null ? Values.NONE : item;
        return key instanceof TemplateNumberModel number && key != Values.NONE
                ? new Keyed(present, new BigDecimal(JsonText.number(number.getAsNumber())), "")
                : new Keyed(present, null, Building.shown(key));
    }

    /** A list and a value. */
    @Nullable
    TemplateModel contains(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) == null) {
            return null;
        }
        for (TemplateModel item : items(arguments.get(0))) {
            allowance.tick();
            if (Sameness.of(item, (TemplateModel) arguments.get(1)) == TemplateBooleanModel.TRUE) {
                return TemplateBooleanModel.TRUE;
            }
        }
        return TemplateBooleanModel.FALSE;
    }

    private List<@Nullable TemplateModel> items(Object list) throws TemplateModelException {
        List<@Nullable TemplateModel> items = new ArrayList<>();
        if (list instanceof TemplateSequenceModel sequence) {
            allowance.items(sequence.size());
            for (int i = 0; i < sequence.size(); i++) {
                items.add(sequence.get(i));
            }
        } else if (list instanceof TemplateCollectionModel collection) {
            for (TemplateModelIterator each = collection.iterator(); each.hasNext(); ) {
                items.add(each.next());
                allowance.items(1);
            }
        } else {
            throw new Fault("A list is needed here.");
        }
        return items;
    }

    private SimpleSequence sequence(List<? extends @Nullable TemplateModel> items) {
        SimpleSequence sequence = new SimpleSequence(items.size(), Engine.WRAPPER);
        items.forEach(sequence::add);
        allowance.items(items.size());
        return sequence;
    }
}
