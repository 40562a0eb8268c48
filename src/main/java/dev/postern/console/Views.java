package dev.postern.console;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What there is to see, by its place below {@code /console/}. */
final class Views {

    private final Map<String, View> all;
    private final Map<String, View> each;

    /**
     * @param all the views of places such as {@code runs}; the first page is at the empty place, and for programs at
     *     {@code overview}
     * @param each the views of one thing of a place, whose id follows it, such as {@code runs/run_1}
     */
    Views(Map<String, View> all, Map<String, View> each) {
        this.all = Map.copyOf(all);
        this.each = Map.copyOf(each);
    }

    /**
     * A view that was found.
     *
     * @param id empty where it shows all
     */
    record Found(View view, String id) {}

    /** The view at {@code place}; null where there is none. */
    @Nullable
    Found at(String place) {
        int slash = place.indexOf('/');
        if (slash < 0) {
            @Nullable View view = all.get(place.equals("overview") ? "" : place);
            return view == null ? null : new Found(view, "");
        }
        @Nullable View view = each.get(place.substring(0, slash));
        String id = place.substring(slash + 1);
        return view == null || id.isEmpty() ? null : new Found(view, id);
    }
}
