package dev.postern.console;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list that may have more pages.
 *
 * @param lines the entries of this page
 * @param last the entry after which the next page begins; null on the last page
 */
record ResultPage<T>(List<T> lines, @Nullable T last) {

    /**
     * Makes a page.
     *
     * @param found the entries, one more than {@code most} where there is a next page
     * @param most the largest number of entries on a page
     */
    static <T> ResultPage<T> of(List<T> found, int most) {
        return found.size() > most
                ? new ResultPage<>(List.copyOf(found.subList(0, most)), found.get(most - 1))
                : new ResultPage<>(found, null);
    }

    /**
     * The {@code name} of the entry after which the next page begins; null on the last page.
     */
    <N> @Nullable N after(Function<T, N> name) {
        return last == null ? null : name.apply(last);
    }
}
