package dev.postern.mail.message;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements that are open at one place of an HTML text, closed as browsers close them where their sender has not (the
 * common cases of html.spec.whatwg.org, section 13.2.6). What each step costs doesn't depend on how deep they are nested,
 * but for what it closes.
 */
final class OpenElements {

    /**
     * @param hidden whether nothing in it is shown
     * @param tiny whether its own text isn't
     * @param href of a link; null elsewhere
     */
    record Element(String name, boolean hidden, boolean tiny, @Nullable String href, int textBefore) {}

    private static final int MAX_DEPTH = 2_000;

    private static final Set<String> CELLS = Set.of("td", "th", "caption");
    private static final Set<String> TABLE_PARTS =
            Set.of("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption");
    private static final Map<String, Set<String>> ENDED_BY_START = Map.of(
            "li", Set.of("li"),
            "dt", Set.of("dt", "dd"),
            "dd", Set.of("dt", "dd"),
            "td", Set.of("td", "th"),
            "th", Set.of("td", "th"),
            "tr", Set.of("tr"),
            "tbody", Set.of("thead", "tbody", "tfoot"),
            "tfoot", Set.of("thead", "tbody", "tfoot"),
            "body", Set.of("head"));
    private static final Set<String> LISTS = Set.of("ul", "ol", "dl", "table");

    private final Deque<Element> open = new ArrayDeque<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Consumer<Element> closed;
    private int hidden;

    /** @param closed takes each element when it ends */
    OpenElements(Consumer<Element> closed) {
        this.closed = closed;
    }

    boolean isHidden() {
        return hidden > 0;
    }

    boolean isTiny() {
        Element innermost = open.peek();
        return innermost != null && innermost.tiny();
    }

    boolean isOpen(String name) {
        return counts.getOrDefault(name, 0) > 0;
    }

    /** Ends what can't go on where {@code name} begins. */
    void endBefore(String name, boolean block) {
        if (block) {
            end(Set.of("p"), CELLS);
        }
        Set<String> ended = ENDED_BY_START.get(name);
        if (ended != null) {
            end(ended, "tr".equals(name) || CELLS.contains(name) ? Set.of("table") : LISTS);
        }
    }

    /** Beyond the deepest nesting elements are part of the one that is open there. */
    void start(Element element) {
        if (open.size() < MAX_DEPTH) {
            open.push(element);
            counts.merge(element.name(), 1, Integer::sum);
            hidden += element.hidden() ? 1 : 0;
        }
    }

    /** Ends the innermost {@code name} and all inside it; nothing where none is open in this cell of a table. */
    void end(String name) {
        end(Set.of(name), TABLE_PARTS.contains(name) ? Set.of() : CELLS);
    }

    void endAll() {
        while (!open.isEmpty()) {
            pop();
        }
    }

    private void end(Set<String> names, Set<String> bounds) {
        if (names.stream().noneMatch(this::isOpen)) {
            return;
        }
        int depth = 0;
        boolean found = false;
        for (Iterator<Element> inner = open.iterator(); inner.hasNext() && !found; ) {
            String name = inner.next().name();
            found = names.contains(name);
            if (!found && bounds.contains(name)) {
                return;
            }
            depth++;
        }
        for (int i = 0; i < depth; i++) {
            pop();
        }
    }

    private void pop() {
        Element element = open.pop();
        counts.merge(element.name(), -1, Integer::sum);
        hidden -= element.hidden() ? 1 : 0;
        closed.accept(element);
    }
}
