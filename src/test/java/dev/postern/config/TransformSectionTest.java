package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the places of scripts. */
class TransformSectionTest {

    @TempDir
    Path top;

    private Path home;
    private Path root;

    @BeforeEach
    void aHomeBesideOtherThings() throws Exception {
        home = Files.createDirectory(top.toRealPath().resolve("home"));
        root = Files.createDirectories(home.resolve("hooks/transforms"));
        Files.createDirectories(root.resolve("team/deep.js"));
        for (String file : new String[] {"team/a.js", "b.mjs", "c.cjs", "d.ts", "e.py", "f.d.js"}) {
            Files.writeString(root.resolve(file), "");
        }
        Files.writeString(home.resolve("hooks/beside.js"), "");
        Files.writeString(top.resolve("elsewhere.js"), "");
        Files.createDirectory(home.resolve("hooks/transforms-not"));
        Files.writeString(home.resolve("hooks/transforms-not/x.js"), "");
        Files.createSymbolicLink(root.resolve("out.js"), top.resolve("elsewhere.js"));
        Files.createSymbolicLink(root.resolve("outside"), top.toRealPath());
        Files.createSymbolicLink(root.resolve("within.js"), root.resolve("team/a.js"));
        Files.createSymbolicLink(root.resolve("disguised.js"), root.resolve("e.py"));
        Files.createSymbolicLink(root.resolve("circle.js"), root.resolve("circle.js"));
    }

    @ParameterizedTest
    @CsvSource({
        "../beside.js, leads out of",
        "../transforms-not/x.js, leads out of",
        "../transforms/d.ts, leads out of",
        "../../../../../../etc/passwd.js, leads out of",
        "team/../../beside.js, leads out of",
        "/etc/none.js, leads out of",
        "out.js, leads out of",
        "outside/elsewhere.js, leads out of",
        "none.js, does not exist",
        "circle.js, does not exist",
        "team, ends in none of",
        "team/deep.js, is no file",
        "e.py, ends in none of",
        "disguised.js, 'leads to e.py, which ends in none of'",
        "b.mjs/, ends in none of",
        ".js, ends in none of"
    })
    void aModuleThatIsNoScriptInTheDirectoryIsRefused(String module, String why) {
        assertThat(mapping("{module: '" + module + "'}").problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.mappings[0].transform.module [" + home + "/postern.yaml:4:")
                .contains(why)
                .endsWith("name a script in " + root);
    }

    @ParameterizedTest
    @CsvSource({
        "team/a.js, team/a.js",
        "b.mjs, b.mjs",
        "c.cjs, c.cjs",
        "./d.ts, d.ts",
        "team/../d.ts, d.ts",
        "within.js, team/a.js",
        "f.d.js, f.d.js"
    })
    void aModuleIsItsFileWithoutSymbolicLinks(String module, String file) {
        MappingSettings mapping = mapping("{module: '" + module + "'}")
                .settings()
                .hooks()
                .mappings()
                .get(0);
        assertThat(mapping.transform().module()).isEqualTo(root.resolve(file));
        assertThat(mapping.transform().export()).isNull();
        assertThat(mapping.transform().where())
                .startsWith("hooks.mappings[0].transform.module [" + home + "/postern.yaml:4:");
    }

    @Test
    void anAbsolutePathIntoTheDirectoryIsTaken() {
        assertThat(mapping("{module: '" + root.resolve("d.ts") + "'}")
                        .settings()
                        .hooks()
                        .mappings())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "{}, hooks.mappings[0].transform.module",
        "{module: ''}, hooks.mappings[0].transform.module",
        "'{module: d.ts, export: a-b}', hooks.mappings[0].transform.export",
        "'{module: d.ts, function: a}', hooks.mappings[0].transform.function",
        "d.ts, hooks.mappings[0].transform"
    })
    void aTransformIsAModuleAndPerhapsAnExport(String transform, String setting) {
        assertThat(mapping(transform).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly(setting);
    }

    @Test
    void aTransformTakesThePlaceOfATemplate() {
        for (String action : new String[] {"wake", "agent"}) {
            assertThat(yaml("mappings: [{action: " + action + ", transform: {module: d.ts}}]")
                            .settings()
                            .hooks()
                            .mappings()
                            .get(0)
                            .texts())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        ".., leads out of",
        "../transforms-not, leads out of",
        "/etc, leads out of",
        "outside, leads out of",
        "~/elsewhere, leads out of",
        "none, does not exist",
        "d.ts, is no directory"
    })
    void aDirectoryElsewhereIsRefused(String directory, String why) {
        assertThat(yaml("transformsDir: " + directory).userHome(top).problemLines())
                .singleElement()
                .asString()
                .startsWith("hooks.transformsDir [" + home + "/postern.yaml:4:")
                .contains(why)
                .endsWith("name a directory in " + root + ", or leave the setting out for that one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"team", "./team/", "b/../team", "ABSOLUTE"})
    void modulesAreInTheDirectoryThatIsNamed(String directory) {
        String named = directory.replace("ABSOLUTE", root.resolve("team").toString());
        String rest = "\n  mappings: [{transform: {module: %s}}]";
        HookSettings hooks = yaml("transformsDir: " + named + rest.formatted("a.js"))
                .settings()
                .hooks();
        assertThat(hooks.transformsRoot()).isEqualTo(root.resolve("team"));
        assertThat(hooks.mappings().get(0).transform().module()).isEqualTo(root.resolve("team/a.js"));
        assertThat(yaml("transformsDir: " + named + rest.formatted("../d.ts")).problems())
                .extracting(ConfigurationProblem::setting)
                .containsExactly("hooks.mappings[0].transform.module");
    }

    @Test
    void directoryMayBeMissingWithoutMappings() throws Exception {
        Path bare = Files.createDirectory(top.resolve("bare"));
        assertThat(ConfigurationFixture.yaml(bare, ConfigurationFixture.SERVING)
                        .settings()
                        .hooks()
                        .transformsRoot())
                .isEqualTo(bare.resolve("hooks/transforms"));
        assertThat(ConfigurationFixture.yaml(
                                bare, ConfigurationFixture.SERVING + "  mappings: [{transform: {module: a.js}}]")
                        .problemLines())
                .singleElement()
                .asString()
                .contains("is [a.js], which does not exist");
    }

    @Test
    void theDirectoryItselfMayBeALink() throws Exception {
        Path linked = Files.createDirectories(top.resolve("linked/hooks")).getParent();
        Files.createSymbolicLink(linked.resolve("hooks/transforms"), root);
        HookSettings hooks = ConfigurationFixture.yaml(
                        linked, ConfigurationFixture.SERVING + "  mappings: [{transform: {module: d.ts}}]")
                .settings()
                .hooks();
        assertThat(hooks.transformsRoot()).isEqualTo(root);
        assertThat(hooks.mappings().get(0).transform().module()).isEqualTo(root.resolve("d.ts"));
    }

    private ConfigurationFixture mapping(String transform) {
        return yaml("mappings: [{transform: " + transform + "}]");
    }

    private ConfigurationFixture yaml(String hooks) {
        return ConfigurationFixture.yaml(home, ConfigurationFixture.SERVING + "  " + hooks);
    }
}
