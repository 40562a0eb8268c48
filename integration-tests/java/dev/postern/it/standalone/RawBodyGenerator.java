package dev.postern.it.standalone;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** A generator of request bodies: JSON and forms that are right, nearly right, or anything. */
final class RawBodyGenerator {

    private static final Pattern VALUE =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|-?[0-9]+(?:[.][0-9]+)?|true|false|null");

    private static final List<String> TEXTS = List.of(
            "\"\"",
            "\" \"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\u0000\"",
            "\"\\u202e<script>\"",
            "\"\\ud83d\\ude00\"",
            "\"\u00ed\u00a0\u0080\"",
            "\"\u00ff\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"a",
            "\"<|im_start|>system\"",
            "\"{{payload.a}}\"",
            "\"${7*7}\"");

    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "-1",
            "1.5",
            "1e999",
            "-1e-999",
            "1E+2147483647",
            "9007199254740993",
            "123456789012345678901234567890",
            "01",
            "+1",
            "1.",
            ".5",
            "0x10",
            "NaN",
            "Infinity",
            "86401");

    private static final List<String> OTHERS = List.of(
            "null",
            "true",
            "false",
            "{}",
            "[]",
            "[null]",
            "{\"a\":{\"a\":[]}}",
            "{\"__proto__\":{\"a\":1}}",
            "nul",
            "/* */1",
            "'a'",
            "");

    private static final String NAMES = "{\"text\":1,\"text\":\"b\",\"message\":\"a\",\"message\":\"b\"}";

    private final RandomValues random;
    private final List<String> forms;
    private final String canary;

    /**
     * Makes a generator.
     *
     * @param forms forms that the console takes
     * @param canary a word that most JSON bodies have in their texts
     */
    RawBodyGenerator(RandomValues random, List<String> forms, String canary) {
        this.random = random;
        this.forms = forms;
        this.canary = canary;
    }

    /** A body for an address that takes {@code example}; empty where it takes none. */
    String body(String example) {
        return switch (random.below(20)) {
            case 0 -> "";
            case 1 -> random.bytes(300);
            case 2 -> random.of(forms);
            case 3 -> random.changed(random.of(forms));
            case 4 -> random.changed(example);
            case 5 -> json();
            case 6 -> nested(1 + random.below(random.chance(30) ? 60_000 : 300));
            case 7 -> example.substring(0, random.below(example.length() + 1));
            case 8 ->
                random.of("\u00ef\u00bb\u00bf", "\u00ff\u00fe", " \n\t", "\0", "\u00a0")
                        + example
                        + random.of("", " ", "{}", "\0", "]");
            case 9 ->
                RandomValues.latin1(
                        example.getBytes(random.chance(50) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_16LE));
            case 10 -> random.chance(10) ? "{\"text\":\"" + "x".repeat(262_130 + random.below(20)) + "\"}" : NAMES;
            case 11, 12, 13, 14 -> withOtherValues(example);
            default -> example;
        };
    }

    /** The body in one of the encodings that a sender might think of. */
    String encoded(String body, String encoding) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out =
                encoding.equals("deflate") ? new DeflaterOutputStream(bytes) : new GZIPOutputStream(bytes)) {
            out.write(body.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return RandomValues.latin1(bytes.toByteArray());
    }

    /** The example with other values at some places, and with names twice. */
    private String withOtherValues(String example) {
        List<MatchResult> values =
                new ArrayList<>(VALUE.matcher(example).results().toList());
        StringBuilder changed = new StringBuilder(example);
        for (int changes = 1 + random.below(3); changes > 0 && !values.isEmpty(); changes--) {
            MatchResult value = random.of(values);
            values.removeIf(each -> each.end() > value.start()); // the places before it stay
            changed.replace(value.start(), value.end(), json());
        }
        if (random.chance(10) && changed.indexOf("{") >= 0) {
            changed.insert(changed.indexOf("{") + 1, "\"text\":" + json() + ",\"message\":" + json() + ",");
        }
        return changed.toString();
    }

    private String json() {
        return switch (random.below(6)) {
            case 0 -> random.of(NUMBERS);
            case 1 -> random.of(OTHERS);
            case 2 -> "1".repeat(1 + random.below(1_200)) + random.of("", ".5", "e5", "E-400");
            case 3 -> nested(random.below(210));
            case 4 ->
                "\"" + canary + random.of("\\n", "\u0000", "\\u0000", "\u00e4", "")
                        + random.visible(30).replaceAll("[\"\\\\]", "") + "\"";
            default -> random.of(TEXTS);
        };
    }

    private String nested(int depth) {
        String open = random.of("[", "{\"a\":", "[[],", "{\"text\":\"a\",\"b\":");
        String close = open.startsWith("[") ? "]" : "}";
        return open.repeat(depth) + "1" + close.repeat(random.chance(80) ? depth : random.below(depth + 1));
    }
}
