package dev.postern.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The names of control tokens of chat models: complete names, and phrases of the words that form such names. The file
 * {@code control-token-words.txt} lists both.
 */
final class ControlTokenNames {

    private static final String NUMBER = "#";

    /** The fewest characters of a name, except for names that are listed in one case alone. */
    private static final int SHORTEST = 3;

    private static final ControlTokenNames ALL = new ControlTokenNames();

    private final Map<String, Set<String>> lists = new HashMap<>();
    private final Map<String, List<List<String>>> phrases = new HashMap<>();

    private ControlTokenNames() {
        try (BufferedReader lines = LookAlikeCharacters.Resource.open("control-token-words.txt")) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String line) {
        List<String> words = List.of(line.split(" "));
        String list = words.get(0);
        switch (list) {
            case "phrase" -> addPhrase(words.subList(1, words.size()));
            case "words" -> addNames(kind(words.get(1)), words.subList(2, words.size()));
            default -> addNames(list, words.subList(1, words.size()));
        }
    }

    private void addNames(String list, List<String> names) {
        lists.computeIfAbsent(list, none -> new HashSet<>()).addAll(names);
    }

    /** Adds a phrase under each word that it can begin with. */
    private void addPhrase(List<String> phrase) {
        String first = phrase.get(0);
        for (String word : lists.getOrDefault(kind(first), Set.of(first))) {
            phrases.computeIfAbsent(word, none -> new ArrayList<>()).add(phrase);
        }
    }

    private static String kind(String word) {
        return "words " + word;
    }

    /** Whether {@code name} is a token's that stands alone in angle brackets. */
    static boolean isTag(String name, boolean disguised) {
        if (name.length() < SHORTEST || (!disguised && isCamelCase(name))) {
            return isWritten("exact", name, disguised);
        }
        String lower = name.toLowerCase(Locale.ROOT);
        return has("any", lower) || isWritten("exact", name, disguised) || isNamespaced(lower) || isPhrase(name);
    }

    /** Whether {@code name}, in another script, is a token's in angle brackets, and not in others that look alike. */
    static boolean isNative(String name) {
        return has("native", Normalizer.normalize(name, Normalizer.Form.NFKC));
    }

    /** Whether {@code name} is a token's in angle brackets with attributes behind the name. */
    static boolean isAttributed(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return has("attributed", lower) || isNamespaced(lower);
    }

    /** Whether {@code name} is a token's in angle brackets with an equals sign behind the name. */
    static boolean isValued(String name) {
        return has("valued", name.toLowerCase(Locale.ROOT));
    }

    private static boolean isNamespaced(String lower) {
        int colon = lower.indexOf(':');
        return colon > 0 && isNamespaced(lower.substring(0, colon), lower.substring(colon + 1));
    }

    /** Whether {@code name} is a token's if it stands behind {@code namespace}. */
    static boolean isNamespaced(String namespace, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return has("namespace", namespace.toLowerCase(Locale.ROOT)) || has("namespaced", lower) || isPhrase(name);
    }

    /** Whether {@code name} is a token's in square brackets; such names are in capitals, with a few exceptions. */
    static boolean isSquare(String name, boolean disguised) {
        if (name.length() < SHORTEST) {
            return false;
        }
        return isWritten("square", name, disguised) || ((isCapital(name) || endsInNumber(name)) && isPhrase(name));
    }

    /** Whether {@code name} is a token's in square brackets and bars. */
    static boolean isBarred(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return has("barred", lower) || isPhrase(name);
    }

    /** Whether {@code list}, whose names have only one case, contains {@code name}; in a disguise, any case counts. */
    static boolean isWritten(String list, String name, boolean disguised) {
        return has(list, name)
                || (disguised && ALL.lists.getOrDefault(list, Set.of()).stream().anyMatch(name::equalsIgnoreCase));
    }

    /** {@code name} in letters, digits, underscores and spaces. */
    static String inWords(String name) {
        StringBuilder words = new StringBuilder();
        name.codePoints().forEach(c -> {
            if (ControlTokenNameReader.isLetterOrDigit(c) || c == '_') {
                words.appendCodePoint(c);
            } else if (!words.isEmpty() && words.charAt(words.length() - 1) != ' ') {
                words.append(' ');
            }
        });
        return words.toString().strip().toLowerCase(Locale.ROOT);
    }

    /** Whether {@code name} contains a phrase. */
    static boolean isPhrase(String name) {
        List<String> words = words(name.toLowerCase(Locale.ROOT));
        for (int i = 0; i < words.size(); i++) {
            for (List<String> phrase : ALL.phrases.getOrDefault(words.get(i), List.of())) {
                if (i + phrase.size() <= words.size() && fits(phrase, words.subList(i, i + phrase.size()))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean fits(List<String> phrase, List<String> words) {
        for (int i = 0; i < phrase.size(); i++) {
            String part = phrase.get(i);
            if (!ALL.lists.getOrDefault(kind(part), Set.of(part)).contains(words.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The runs of letters, the numbers, and the single characters that are neither underscore, colon nor space. */
    private static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < name.length()) {
            int from = at;
            if (Character.isLetter(name.charAt(at))) {
                while (at < name.length() && Character.isLetter(name.charAt(at))) {
                    at++;
                }
                words.add(name.substring(from, at));
            } else if (isDigit(name.charAt(at))) {
                while (at < name.length() && isDigit(name.charAt(at))) {
                    at++;
                }
                words.add(NUMBER);
            } else {
                at++;
                if ("_: ".indexOf(name.charAt(from)) < 0) {
                    words.add(name.substring(from, at));
                }
            }
        }
        return words;
    }

    private static boolean has(String list, String name) {
        return ALL.lists.getOrDefault(list, Set.of()).contains(name);
    }

    /** Whether {@code name} mixes capitals and small letters without an underscore, as names of types in programs do. */
    private static boolean isCamelCase(String name) {
        return name.indexOf('_') < 0
                && name.chars().anyMatch(Character::isUpperCase)
                && name.chars().anyMatch(Character::isLowerCase);
    }

    private static boolean isCapital(String name) {
        return name.chars().noneMatch(Character::isLowerCase);
    }

    private static boolean endsInNumber(String name) {
        return isDigit(name.charAt(name.length() - 1));
    }

    private static boolean isDigit(char c) {
        return Character.isDigit(c);
    }
}
