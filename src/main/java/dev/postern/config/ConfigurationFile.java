package dev.postern.config;

import dev.postern.model.FileErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The main configuration file of a home directory. */
public final class ConfigurationFile {

    /** The possible names of the file, the preferred one for a new file first. */
    static final List<String> NAMES = List.of("postern.yaml", "postern.yml", "postern.json", "postern.json5");

    /** The setting of a problem with a file as a whole. */
    public static final String WHOLE = "configuration";

    private static final int MAX_BYTES = 1024 * 1024;

    private ConfigurationFile() {}

    /** Whether {@code file} exists, even as a link to nothing. */
    static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** The file in {@code home}; empty if there is none. Several files are reported as a problem. */
    static Optional<Path> find(Path home, ConfigurationProblems problems) {
        List<Path> present = NAMES.stream()
                .map(home::resolve)
                .filter(ConfigurationFile::exists)
                .toList();
        if (present.size() > 1) {
            String names = present.stream().map(Path::toString).collect(Collectors.joining(" and "));
            problems.add(WHOLE, ValueOrigin.file(home), "is in several files: " + names, "keep one of them");
        }
        return present.stream().findFirst();
    }

    /**
     * The tree of {@code file}; empty if the file is empty or unreadable. An unreadable file is reported as a problem.
     */
    static Optional<ConfigurationNode> read(Path file, ConfigurationProblems problems) {
        return text(file, problems).flatMap(text -> tree(file, text, problems));
    }

    /**
     * As {@link #read}, for a main file. A blank one is reported as a problem too: it may be what a full disk or a mistake has
     * left of the settings. One with comments alone is not.
     */
    static Optional<ConfigurationNode> readMain(Path file, ConfigurationProblems problems) {
        Optional<String> text = text(file, problems);
        if (text.filter(String::isBlank).isPresent()) {
            problems.add(
                    WHOLE, ValueOrigin.file(file), "is empty", "restore its content, or delete it for the defaults");
            return Optional.empty();
        }
        return text.flatMap(content -> tree(file, content, problems));
    }

    /**
     * The tree of {@code file}, in JSON5 whatever its name. It is empty if the file is empty, unreadable or malformed. All but
     * an empty file is reported as a problem of the setting {@link #WHOLE}; a name that is written twice, as one of its own.
     */
    public static Optional<ConfigurationNode> readJson(Path file, ConfigurationProblems problems) {
        return text(file, problems).flatMap(text -> new JsonConfigurationReader(
                        (line, column) -> ValueOrigin.file(file, line, column), problems)
                .read(text));
    }

    /** The tree of {@code text}, the present or future content of {@code file}; empty as in {@link #read}. */
    static Optional<ConfigurationNode> tree(Path file, String text, ConfigurationProblems problems) {
        JsonConfigurationReader.Locator locator = (line, column) -> ValueOrigin.file(file, line, column);
        boolean json = file.toString().endsWith(".json") || file.toString().endsWith(".json5");
        return json
                ? new JsonConfigurationReader(locator, problems).read(text)
                : new YamlConfigurationReader(locator, problems).read(text);
    }

    /**
     * The content of {@code file} without a byte order mark; empty if it is unreadable, which is reported as a problem.
     */
    private static Optional<String> text(Path file, ConfigurationProblems problems) {
        try {
            if (Files.isSymbolicLink(file) && !Files.exists(file)) {
                return unreadable(file, "is a link to no file", problems);
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                return unreadable(file, "is no regular file", problems);
            }
            if (Files.size(file) > MAX_BYTES) {
                return unreadable(file, "is larger than 1 MiB", problems);
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException binary) {
            return unreadable(file, "is not UTF-8 text", problems);
        } catch (AccessDeniedException denied) {
            return unreadable(file, "may not be read by this process", problems);
        } catch (IOException failed) {
            return unreadable(file, FileErrorText.unreadable(failed), problems);
        }
    }

    private static Optional<String> unreadable(Path file, String why, ConfigurationProblems problems) {
        problems.add(WHOLE, ValueOrigin.file(file), why, "put a readable UTF-8 file there");
        return Optional.empty();
    }
}
