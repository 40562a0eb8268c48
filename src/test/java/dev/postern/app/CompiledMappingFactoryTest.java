package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.ProcessEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompiledMappingFactoryTest {

    @TempDir
    Path home;

    @Test
    void reportsProblemsOfTemplatesScriptsAndSettings() throws IOException {
        Path scripts = Files.createDirectories(home.resolve("hooks/transforms"));
        Files.writeString(scripts.resolve("broken.ts"), "export default () => {\n  const = 1;\n};");

        List<String> problems = problems(
                """
                hooks:
                  enabled: true
                  token: a-token-that-is-long-enough-01
                  mapings: []
                  mappings:
                    - {id: a, match: {path: a}, messageTemplate: '${payload.x?foo}'}
                    - {id: b, match: {path: b}, messageTemplate: x, sessionKey: 'hook:{{payload.id}}'}
                    - {id: c, match: {path: c}, messageTemplate: x, transform: {module: broken.ts}}
                    - {id: d, match: {path: d}, messageTemplate: x, transform: {module: ../../postern.yaml}}
                """);

        assertThat(problems)
                .anySatisfy(line -> assertThat(line).contains("hooks.mapings [", "did you mean hooks.mappings?"))
                .anySatisfy(line -> assertThat(line).contains("mappings[1].sessionKey [", ":7:", "write allowed"))
                .anySatisfy(line -> assertThat(line).contains("mappings[3].transform.module [", ":9:", "name a script"))
                .anySatisfy(line -> assertThat(line).contains("mappings[0].messageTemplate [", ":6:", "line 1, column"))
                .anySatisfy(line -> assertThat(line).contains("mappings[2].transform.module [", "broken.ts line 2"));
    }

    @Test
    void checksNoMappingsOfUnreadableFile() throws IOException {
        assertThat(problems("hooks: [")).singleElement().asString().contains("postern.yaml");
    }

    private List<String> problems(String yaml) throws IOException {
        Files.writeString(home.resolve("postern.yaml"), yaml);
        ProcessEnvironment environment = new ProcessEnvironment(
                name -> Optional.empty(),
                name -> Optional.empty(),
                Map.of("postern.home", home.toString()),
                Map.of(),
                home.toString(),
                () -> ZoneOffset.UTC);
        return CompiledMappingFactory.problems(
                (Rejected) new ConfigurationLoader(environment).load(ConfigurationLoader.Mode.CHECK));
    }
}
