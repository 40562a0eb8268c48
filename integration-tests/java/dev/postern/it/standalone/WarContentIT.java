package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A test of the packaged WAR's content: it names all third-party parts and their licences. */
class WarContentIT {

    private static final String LICENCES = "META-INF/licenses/";
    private static final Pattern LISTED = Pattern.compile("^(WEB-INF/\\S+) \\| (\\S+) \\| https://\\S+$");
    private static final String CLASSES = "WEB-INF/lib/postern-classes.jar";
    private static final Pattern JAR = Pattern.compile("WEB-INF/(lib|embedded)/[^/]+\\.jar");

    private JarFile war;

    @BeforeEach
    void open() throws IOException {
        war = new JarFile(PosternProcess.WAR);
    }

    @AfterEach
    void close() throws IOException {
        war.close();
    }

    @Test
    void hasTheProgramInOneFileAndItsLauncherNowhereElse() throws IOException {
        assertThat(entries(Pattern.compile("WEB-INF/classes/.*"))).isEmpty();
        assertThat(war.getEntry("dev/postern/app/launch/Launcher.class")).isNotNull();
        assertThat(classes())
                .contains("dev/postern/app/PosternListener.class")
                .noneMatch(file -> file.startsWith("dev/postern/app/launch/"));
    }

    @Test
    void hasNoLibraryThatNothingCalls() {
        assertThat(jars())
                .noneMatch(jar -> jar.contains("prometheus-metrics-exposition-formats"))
                .noneMatch(jar -> jar.contains("HdrHistogram"))
                .anyMatch(jar -> jar.contains("prometheus-metrics-exposition-textformats"));
    }

    @Test
    void hasLicenceAndNoticeOfItsSources() throws IOException {
        assertThat(text("META-INF/LICENSE")).isNotBlank().isEqualTo(Files.readString(Path.of("LICENSE")));
        assertThat(text("META-INF/NOTICE")).isNotBlank().isEqualTo(Files.readString(Path.of("src/license/NOTICE")));
    }

    @Test
    void listsEveryJarAndOnlyFilesOfTheWar() throws IOException {
        Set<String> files = war.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        classes().forEach(file -> files.add(CLASSES + "!/" + file));

        assertThat(listed(1)).doesNotHaveDuplicates().containsAll(jars()).allSatisfy(file -> assertThat(files)
                .contains(file));
    }

    @Test
    void hasTextOfEveryLicenceOnce() throws IOException {
        Set<String> texts = entries(Pattern.compile(LICENCES + "[^/]+"))
                .map(name -> name.substring(LICENCES.length()).replaceAll("\\.txt$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        texts.add("Apache-2.0"); // Postern's own

        assertThat(listed(2).collect(Collectors.toSet())).isEqualTo(texts);
    }

    @Test
    void saysWhereToFindSourcesOfRhino() throws IOException {
        assertThat(text("META-INF/NOTICE")).contains("https://github.com/mozilla/rhino");
    }

    @Test
    void namesEveryJarInSbomAndNothingElse() throws IOException {
        Set<String> named = new TreeSet<>();
        for (JsonElement component : sbom().getAsJsonArray("components")) {
            JsonObject library = component.getAsJsonObject();
            assertThat(library.has("licenses")).as(library.toString()).isTrue();
            named.add(library.get("name").getAsString() + "-"
                    + library.get("version").getAsString() + ".jar");
        }
        Set<String> brought = jars().stream()
                .map(jar -> jar.substring(jar.lastIndexOf('/') + 1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).containsAll(brought);
        named.removeAll(brought);
        // What Postern is compiled against, and two jars of which the WAR has a file.
        assertThat(named).hasSize(3).allMatch(jar -> jar.matches("(jakarta\\.servlet-api|typescript|htmx\\.org)-.*"));
    }

    @Test
    void saysNothingInSbomThatAnotherBuildWouldNot() throws IOException {
        JsonObject sbom = sbom();

        assertThat(sbom.has("serialNumber")).isFalse();
        assertThat(sbom.getAsJsonObject("metadata").has("timestamp")).isFalse();
        assertThat(sbom.get("bomFormat").getAsString()).isEqualTo("CycloneDX");
    }

    /** The libraries. */
    private Set<String> jars() {
        Set<String> jars = entries(JAR).collect(Collectors.toCollection(TreeSet::new));
        assertThat(jars.remove(CLASSES)).as(CLASSES).isTrue();
        return jars;
    }

    /** The files of Postern's own jar. */
    private Set<String> classes() throws IOException {
        Set<String> files = new TreeSet<>();
        try (ZipInputStream jar = new ZipInputStream(war.getInputStream(war.getEntry(CLASSES)))) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                files.add(entry.getName());
            }
        }
        return files;
    }

    private Stream<String> entries(Pattern name) {
        return war.stream().map(ZipEntry::getName).filter(entry -> name.matcher(entry)
                .matches());
    }

    private Stream<String> listed(int group) throws IOException {
        return text("META-INF/THIRD-PARTY.txt")
                .lines()
                .map(LISTED::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(group));
    }

    private JsonObject sbom() throws IOException {
        return JsonParser.parseString(text("META-INF/sbom/application.cdx.json"))
                .getAsJsonObject();
    }

    private String text(String name) throws IOException {
        ZipEntry entry = war.getEntry(name);
        assertThat(entry).as(name).isNotNull();
        try (InputStream in = war.getInputStream(entry)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
