package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings that the documents show can be pasted. */
class DocsTest {

    private static final List<Path> DOCUMENTS = List.of(
            Path.of("README.md"),
            Path.of("webapp-config/README.md"),
            Path.of("webapp-config/mappings.md"),
            Path.of("webapp-config/presets/README.md"));

    /** A block of YAML that begins with one of our sections; others show what a sender's own settings say. */
    private static final Pattern BLOCK = Pattern.compile(
            "^```yaml\\n((?:hooks|agents|providers|mcp|channels|database):\\n.*?)^```$",
            Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");
    private static final Pattern FILE = Pattern.compile("\\$\\{file:([^}]+)}|sample: (\\S+)");

    /** Fit for whoever wants one in base64, too. */
    private static final String SECRET = "YSBzZWNyZXQgb2YgdGhlIHNlbmRlcidz";

    @TempDir
    Path home;

    static Stream<String> blocks() throws IOException {
        Stream.Builder<String> blocks = Stream.builder();
        for (Path document : DOCUMENTS) {
            BLOCK.matcher(Files.readString(document))
                    .results()
                    .map(block -> block.group(1))
                    .forEach(blocks);
        }
        return blocks.build();
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void showSettingsThatWork(String block) {
        Given given = Given.yaml(home, block);
        VARIABLE.matcher(block).results().forEach(name -> given.variable(name.group(1), SECRET));
        FILE.matcher(block).results().map(DocsTest::file).forEach(name -> given.file(name, SECRET));

        Configuration.Configured configured = given.configured();

        assertThat(configured.warnings()).isEmpty();
    }

    private static String file(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }
}
