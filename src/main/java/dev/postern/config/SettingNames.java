package dev.postern.config;

import dev.postern.model.NearestName;
import java.util.Collection;
import java.util.Optional;

/**
 * The names of settings: functions that join them to paths, spell them as environment variables, and find the nearest
 * known one.
 */
final class SettingNames {

    private SettingNames() {}

    /** The full name of the setting {@code name} in the section {@code path}. A blank name gets quotes, so that it shows. */
    static String join(String path, String name) {
        String shown = name.isBlank() ? '"' + name + '"' : name;
        return path.isEmpty() ? shown : path + "." + shown;
    }

    /** The environment variable of a setting: {@code POSTERN_HOOKS_MAXBODYBYTES} for {@code hooks.maxBodyBytes}. */
    static String variable(String path) {
        StringBuilder name = new StringBuilder("POSTERN_");
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            name.append(plain ? Character.toUpperCase(c) : '_');
        }
        return name.toString();
    }

    /** The known name that was most likely meant: one with the same last word, else one within a few edits. */
    static Optional<String> nearest(String wanted, Collection<String> known) {
        Optional<String> sameWord = known.stream()
                .filter(name -> lastWord(name).equalsIgnoreCase(lastWord(wanted)))
                .min(NearestName.byDistance(wanted));
        return sameWord.or(() -> NearestName.of(wanted, known));
    }

    private static String lastWord(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
