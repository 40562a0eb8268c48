package dev.postern.config;

import dev.postern.model.NearestName;
import java.util.Collection;
import java.util.Optional;

/**
 * The names of settings: functions that join them to paths, spell them as environment variables, and find the one
 * that was meant.
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

    /**
     * The member of a section that was most likely meant by {@code wanted}: one within a few edits, else one that begins or ends
     * with it, as baseUrl does with url.
     */
    static Optional<String> nearestMember(String wanted, Collection<String> members) {
        int reach = Math.max(1, wanted.length() / 3);
        return members.stream()
                .filter(name -> NearestName.distance(wanted, name) <= reach || hasWord(name, wanted))
                .min(NearestName.byDistance(wanted));
    }

    private static boolean hasWord(String name, String wanted) {
        int rest = name.length() - wanted.length();
        return rest > 0
                && !wanted.isBlank()
                && ((name.regionMatches(true, 0, wanted, 0, wanted.length())
                                && Character.isUpperCase(name.charAt(wanted.length())))
                        || (name.regionMatches(true, rest, wanted, 0, wanted.length())
                                && Character.isUpperCase(name.charAt(rest))));
    }

    /** The path of {@code paths} with the last word of {@code wanted} that is nearest to it; empty if none has that word. */
    static Optional<String> nearestWithSameWord(String wanted, Collection<String> paths) {
        return paths.stream()
                .filter(path -> lastWord(path).equalsIgnoreCase(lastWord(wanted)))
                .min(NearestName.byDistance(wanted));
    }

    private static String lastWord(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
