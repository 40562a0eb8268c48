package dev.postern.config;

import dev.postern.model.NearestName;
import java.util.Collection;
import java.util.Optional;

/** Names of settings: joined to paths, spelled for the environment, and found again when mistyped. */
final class SettingNames {

    private SettingNames() {}

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** {@code hooks.maxBodyBytes} as {@code POSTERN_HOOKS_MAXBODYBYTES}. */
    static String variable(String path) {
        StringBuilder name = new StringBuilder("POSTERN_");
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            name.append(plain ? Character.toUpperCase(c) : '_');
        }
        return name.toString();
    }

    /**
     * The known name that was most likely meant: one that ends in the same word, else one that takes few edits to reach.
     */
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
