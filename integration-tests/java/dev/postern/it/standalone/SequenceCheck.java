package dev.postern.it.standalone;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A check of the order of texts that end with a space and a number. */
final class SequenceCheck {

    private SequenceCheck() {}

    /** The {@code texts} that come behind one with the same beginning and a higher number. */
    static List<String> outOfOrder(List<String> texts) {
        Map<String, Integer> latest = new HashMap<>();
        List<String> late = new ArrayList<>();
        for (String text : texts) {
            int split = text.lastIndexOf(' ');
            int number = Integer.parseInt(text.substring(split + 1));
            Integer before = latest.put(text.substring(0, split), number);
            if (before != null && before > number) {
                late.add(text);
            }
        }
        return late;
    }
}
