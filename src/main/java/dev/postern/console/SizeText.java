package dev.postern.console;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;

/** A number of bytes as text for people, in units of 1000: {@code 512 B}, {@code 1.2 kB}, {@code 3.4 MB}. */
final class SizeText {

    private static final int STEP = 1_000;
    private static final List<String> UNITS = List.of("B", "kB", "MB", "GB", "TB", "PB", "EB");

    /** A larger number would be rounded up to one of the next unit. */
    private static final double LARGEST = 999.95;

    private SizeText() {}

    /** {@code bytes}, which is not negative, with one decimal in the largest unit in which it is at least 1. */
    static String of(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= LARGEST) {
            size /= STEP;
            unit++;
        }
        return new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(size) + " "
                + UNITS.get(unit);
    }
}
