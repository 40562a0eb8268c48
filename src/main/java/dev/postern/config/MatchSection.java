package dev.postern.config;

import dev.postern.config.MappingTypes.HeaderMap;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The section {@code match} of a mapping: the conditions on requests that it takes. */
final class MatchSection {

    private MatchSection() {}

    /** The characters of an address that have one spelling only; see RFC 3986 section 3.3. */
    private static final Pattern PATH = Pattern.compile("[!-~&&[^/;\\\\%?#]]+(/[!-~&&[^/;\\\\%?#]]+)*");

    private static final Pattern DOTS = Pattern.compile("(.*/)?\\.\\.?(/.*)?");

    /** A part of a path that stands for any text in many routers: {@code *}, <code>{id}</code> or {@code :id}. */
    private static final Pattern PLACEHOLDER = Pattern.compile(".*[*{}].*|(.*/)?:.*");

    private static final Pattern TAKEN = Pattern.compile("wake|agent|runs(/.*)?");

    static final Setting<String> PATH_BELOW =
            Setting.optional("path", new Text("a path such as github"), "The path below hooks.path.");
    static final Setting<String> SOURCE =
            Setting.optional("source", new Text("a text"), "What the payload's field source says.");
    static final Setting<Map<String, String>> HEADERS =
            Setting.optional("headers", new HeaderMap(), "What these request headers say.");
    static final Group MATCH = Group.of(
            "match",
            "Which requests it takes: all that is given here must hold; nothing given takes every request.",
            PATH_BELOW,
            SOURCE,
            HEADERS);

    static MappingSettings.Match read(SectionReader match) {
        return new MappingSettings.Match(
                path(match),
                match.given(SOURCE).orElse(null),
                match.given(HEADERS).orElse(Map.of()));
    }

    private static @Nullable String path(SectionReader match) {
        Optional<String> given = match.given(PATH_BELOW);
        if (given.isEmpty()) {
            return null;
        }
        String path = given.get().replaceAll("^/+|/+$", "");
        if (TAKEN.matcher(path).matches()) {
            match.problem(
                    PATH_BELOW,
                    "is [" + given.get() + "], which has a meaning of its own",
                    "choose another than wake, agent and runs");
        } else if (PLACEHOLDER.matcher(path).matches()) {
            match.problem(
                    PATH_BELOW,
                    "is [" + given.get() + "], and a *, {id} or :id stands for nothing else here",
                    "write a mapping for each path, or leave path out and match by source or headers");
        } else if (!PATH.matcher(path).matches() || DOTS.matcher(path).matches()) {
            match.problem(
                    PATH_BELOW,
                    "is [" + given.get() + "], which no request can have",
                    "write a path such as github or github/push, of plain characters without ; % ? # and \\");
        }
        return path;
    }
}
