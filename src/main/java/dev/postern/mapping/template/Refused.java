package dev.postern.mapping.template;

/** Ends the compilation of a template that can't be one. */
final class Refused extends RuntimeException {

    private final Place place;

    Refused(Place place, String sentence) {
        super(sentence, null, false, false);
        this.place = place;
    }

    Flawed flaw() {
        return new Flawed(place.line(), place.column(), String.valueOf(getMessage()));
    }
}
