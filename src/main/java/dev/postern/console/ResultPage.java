package dev.postern.console;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of something that may go on.
 *
 * @param last what the next page begins after; null on the last page
 */
record ResultPage<T>(List<T> lines, @Nullable T last) {

    /**
     * Makes a page.
     *
     * @param found one more than {@code most} where there is a next page
     */
    static <T> ResultPage<T> of(List<T> found, int most) {
        return found.size() > most
                ? new ResultPage<>(List.copyOf(found.subList(0, most)), found.get(most - 1))
                : new ResultPage<>(found, null);
    }

    /**
     * What the next page begins after, as {@code name} tells it; null on the last page.
     */
    <N> @Nullable N after(Function<T, N> name) {
        return last == null ? null : name.apply(last);
    }
}
