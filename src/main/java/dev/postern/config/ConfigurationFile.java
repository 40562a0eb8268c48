package dev.postern.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The main configuration file of a home. */
final class ConfigurationFile {

    /** What it may be called, in the order of preference for new ones. */
    static final List<String> NAMES = List.of("postern.yaml", "postern.yml", "postern.json", "postern.json5");

    private static final int MAX_BYTES = 1024 * 1024;

    private ConfigurationFile() {}

    /** The file in {@code home}; empty when there is none. Several are a problem. */
    static Optional<Path> find(Path home, ConfigurationProblems problems) {
        List<Path> present =
                NAMES.stream().map(home::resolve).filter(Files::exists).toList();
        if (present.size() > 1) {
            String names = present.stream().map(Path::toString).collect(Collectors.joining(" and "));
            problems.add("configuration", ValueOrigin.file(home), "is in several files: " + names, "keep one of them");
        }
        return present.stream().findFirst();
    }

    /** The tree of {@code file}; empty when it holds nothing or can't be read, which is then a problem. */
    static Optional<ConfigurationNode> read(Path file, ConfigurationProblems problems) {
        return text(file, problems).flatMap(text -> tree(file, text, problems));
    }

    /** The tree of {@code text}, which {@code file} holds or is to hold; empty as {@link #read} has it. */
    static Optional<ConfigurationNode> tree(Path file, String text, ConfigurationProblems problems) {
        JsonConfigurationReader.Locator locator = (line, column) -> ValueOrigin.file(file, line, column);
        boolean json = file.toString().endsWith(".json") || file.toString().endsWith(".json5");
        return json
                ? new JsonConfigurationReader(locator, problems).read(text)
                : new YamlConfigurationReader(locator, problems).read(text);
    }

    /** What {@code file} holds, without a byte order mark; empty when it can't be read, which is then a problem. */
    private static Optional<String> text(Path file, ConfigurationProblems problems) {
        try {
            if (!Files.isRegularFile(file)) {
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
            return unreadable(file, "could not be read (" + failed + ")", problems);
        }
    }

    private static Optional<String> unreadable(Path file, String why, ConfigurationProblems problems) {
        problems.add("configuration", ValueOrigin.file(file), why, "put a readable UTF-8 file there");
        return Optional.empty();
    }
}
