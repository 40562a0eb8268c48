package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test that the settings shown in the documents can be pasted, and that their links lead somewhere. */
class DocsTest {

    /** A link to another document, or to a heading in one; links to other hosts don't match. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

    /** A block of YAML that begins with one of Postern's sections; other blocks show a sender's own settings. */
    private static final Pattern BLOCK = Pattern.compile(
            "^```yaml\\n((?:hooks|agents|providers|mcp|channels|database|server):\\n.*?)^```$",
            Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([A-Z_]+)}");
    private static final Pattern FILE = Pattern.compile("\\$\\{file:([^}]+)}");

    /** A secret that also works where base64 is required. */
    private static final String SECRET = "YSBzZWNyZXQgb2YgdGhlIHNlbmRlcidz";

    private static final String KEY = "-----BEGIN RSA PRIVATE KEY-----";

    @TempDir
    Path home;

    static Stream<String> blocks() throws IOException {
        Stream.Builder<String> blocks = Stream.builder();
        for (Path document : pages().toList()) {
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
        ConfigurationFixture configurationFixture = ConfigurationFixture.yaml(home, block);
        VARIABLE.matcher(block).results().forEach(name -> configurationFixture.variable(name.group(1), SECRET));
        FILE.matcher(block)
                .results()
                .map(match -> match.group(1))
                .forEach(name -> configurationFixture.file(
                        name, name.endsWith(".pem") ? KEY : name.endsWith("mail-password") ? SECRET + 1 : SECRET));

        ConfigurationResult.Configured configured = configurationFixture.configured();

        assertThat(configured.warnings())
                .filteredOn(warning -> !warning.text().startsWith("names the program")) // a reader's own
                .isEmpty();
    }

    static Stream<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
        for (String folder : List.of("src/docs", "webapp-config", "deploy-descriptors")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages.stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linkToWhatIsThere(Path page) throws IOException {
        for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
            Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).exists();
            if (link.group(2) != null) {
                assertThat(headings(target)).contains(link.group(2));
            }
        }
    }

    /** The headings of {@code page}, as links name them. */
    private static List<String> headings(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} -]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
