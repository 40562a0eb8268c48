package dev.postern.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An oracle that counts what a reader could take for a marker, without any of the tested code. It decomposes compatibility
 * forms, deletes invisible characters and marks, resolves HTML references until there are none, maps look-alikes to ASCII,
 * makes capitals, and deletes all but letters and angle brackets. It does so with the tags and comments of HTML, and without
 * them. A character that looks like several letters is tried as each.
 */
public final class MarkerOracle {

    private static final Pattern REFERENCE =
            Pattern.compile("&(?:#(\\d+)|#[xX]([0-9a-fA-F]+)|(lt|gt|LT|GT|amp|AMP));?");
    private static final Pattern MARKUP = Pattern.compile("(?s)<!--.*?-->|</?[a-zA-Z][^<>]*>");
    private static final Pattern TOKEN =
            Pattern.compile("(?i)<\\|[^<>|\\s][^<>|]*\\|>|\\[/?INST]|</?s>|<(?:start|end)_of_turn>|<</?SYS>>");

    private static final Pattern LINES_AND_TABS = Pattern.compile("[\n\t]");

    private final Map<Integer, List<String>> lookAlikes = new HashMap<>();

    public MarkerOracle() throws IOException {
        InputStream file = Objects.requireNonNull(MarkerOracle.class.getResourceAsStream("/attacks/confusables.tsv"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                String[] columns = line.split("\t", -1);
                lookAlikes
                        .computeIfAbsent(Integer.parseInt(columns[0], 16), absent -> new ArrayList<>())
                        .add(columns[1]);
            });
        }
    }

    /** The most opening markers that any reading of {@code text} has. */
    public int openings(String text) {
        return most(text, "<<EXTERNALUNTRUSTEDCONTENT");
    }

    /** The most closing markers that any reading of {@code text} has. */
    public int closings(String text) {
        return most(text, "<<ENDEXTERNALUNTRUSTEDCONTENT");
    }

    /** The control tokens that stand in {@code text} once it is folded. No token goes on behind a line's end or a tab. */
    public List<String> tokens(String text) {
        return LINES_AND_TABS
                .splitAsStream(text)
                .flatMap(part -> TOKEN.matcher(visible(part)).results())
                .map(MatchResult::group)
                .toList();
    }

    private int most(String text, String marker) {
        return readings(text).stream()
                .mapToInt(reading ->
                        (reading.length() - reading.replace(marker, "").length()) / marker.length())
                .max()
                .orElseThrow();
    }

    private Set<String> readings(String text) {
        String resolved = resolved(visible(text));
        Set<String> readings = readings(resolved, new HashSet<>());
        return readings(MARKUP.matcher(resolved).replaceAll(""), readings);
    }

    private Set<String> readings(String resolved, Set<String> readings) {
        for (int choice = 0; choice < 3; choice++) {
            StringBuilder reading = new StringBuilder();
            for (int c : resolved.codePoints().toArray()) {
                List<String> letters = lookAlikes.getOrDefault(c, List.of(Character.toString(c)));
                reading.append(letters.get(Math.min(choice, letters.size() - 1)));
            }
            readings.add(reading.toString().toUpperCase(Locale.ROOT).replaceAll("[^A-Z<>]", ""));
        }
        return readings;
    }

    private static String visible(String text) {
        return Normalizer.normalize(Normalizer.normalize(text, Normalizer.Form.NFKC), Normalizer.Form.NFD)
                .replaceAll("[\\p{Cf}\\p{Mn}\\p{Me}\\p{Cc}\\u115F\\u1160\\u3164\\uFFA0]", "");
    }

    private static String resolved(String text) {
        String before = text;
        String after = REFERENCE.matcher(before).replaceAll(MarkerOracle::resolved);
        while (!after.equals(before)) {
            before = after;
            after = REFERENCE.matcher(before).replaceAll(MarkerOracle::resolved);
        }
        return after;
    }

    private static String resolved(MatchResult reference) {
        String decimal = reference.group(1);
        String hex = reference.group(2);
        if (decimal == null && hex == null) {
            return switch (reference.group(3).toLowerCase(Locale.ROOT)) {
                case "lt" -> "<";
                case "gt" -> ">";
                default -> "&";
            };
        }
        BigInteger codePoint =
                decimal != null ? new BigInteger(decimal) : new BigInteger(Objects.requireNonNull(hex), 16);
        return codePoint.bitLength() < Integer.SIZE && Character.isValidCodePoint(codePoint.intValue())
                ? Matcher.quoteReplacement(Character.toString(codePoint.intValue()))
                : Matcher.quoteReplacement(reference.group());
    }
}
