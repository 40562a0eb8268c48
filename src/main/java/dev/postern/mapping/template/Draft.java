package dev.postern.mapping.template;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A template while it is compiled: what has been written of it, and what has been found out about it. */
final class Draft {

    /** Names that every template has. */
    static final Set<String> GIVEN = Set.of("payload", "headers", "query", "path", "now", "item", "index");

    /** A name that needs no escapes. */
    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\d_]*");

    final Source source;
    final Listing listing = new Listing();
    final List<Gap> sites = new ArrayList<>();
    final List<Doubt> doubts = new ArrayList<>();
    final List<String> literals = new ArrayList<>();
    final List<Lookup> lookups = new ArrayList<>();
    final Set<String> ownNames = new HashSet<>();

    Draft(Source source) {
        this.source = source;
    }

    /** Counts a place that can turn out to have no value. */
    int site(String path, Place place) {
        sites.add(new Gap(path, place.line(), place.column()));
        return sites.size() - 1;
    }

    void doubt(Place place, String sentence) {
        doubts.add(new Doubt(place.line(), place.column(), sentence));
    }

    /** Takes note of a variable that the template makes itself. */
    void own(Place place, String name) {
        if (name.startsWith("__")) {
            throw new Refused(
                    place, "Names that begin with two underscores are taken: choose another than " + name + ".");
        }
        if (!PLAIN_NAME.matcher(name).matches()) {
            throw new Refused(place, "This can't be the name of a variable: choose one of letters and digits.");
        }
        ownNames.add(name);
        ownNames.add(name + "_index");
        ownNames.add(name + "_has_next");
    }

    /** Writes what gives {@code text} as a string. */
    void literal(String text) {
        literals.add(text);
        listing.add("__literal(" + (literals.size() - 1) + ")");
    }
}
