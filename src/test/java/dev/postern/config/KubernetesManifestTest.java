package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Tests of the manifest in {@code deploy-descriptors/kubernetes}. */
class KubernetesManifestTest {

    private static final Path MANIFEST = Path.of("deploy-descriptors/kubernetes/postern.yaml");
    private static final Path IMAGE = Path.of("deploy-descriptors/container/Dockerfile");

    /** The time that running turns have to end. */
    private static final int DRAIN_SECONDS = 30;

    @TempDir
    Path home;

    @Test
    void holdsSettingsThatAreTaken() throws IOException {
        String settings = object("ConfigMap").at("/data/postern.yaml").textValue();
        ConfigurationResult.Configured configured = ConfigurationFixture.yaml(
                        home, settings.replace("/run/secrets/postern/", ""))
                .file("hook-token", "a-token-of-the-cluster-that-is-long-enough")
                .configured();

        assertThat(configured.warnings()).isEmpty();
        assertThat(configured.settings().hooks().enabled()).isTrue();
    }

    @Test
    void mountsWhatTheSettingsNameAndTheImageWrites() throws IOException {
        JsonNode container = pod().at("/containers/0");
        String settings = object("ConfigMap").at("/data/postern.yaml").textValue();

        assertThat(container.path("volumeMounts").findValuesAsText("mountPath"))
                .contains("/var/lib/postern", "/var/lib/postern/postern.yaml", "/run/secrets/postern");
        assertThat(settings).contains("${file:/run/secrets/postern/");
        assertThat(Files.readString(IMAGE))
                .contains("USER " + pod().at("/securityContext/runAsUser").asText() + ":")
                .contains("EXPOSE " + container.at("/ports/0/containerPort").asText());
    }

    @Test
    void asksTheHealthThatPosternTellsAndLeavesRunningTurnsTheirTime() throws IOException {
        JsonNode container = pod().at("/containers/0");

        assertThat(List.of("startupProbe", "livenessProbe", "readinessProbe"))
                .extracting(probe -> container.path(probe).at("/httpGet/path").textValue())
                .containsExactly("/health/live", "/health/live", "/health/ready");
        assertThat(pod().path("terminationGracePeriodSeconds").asInt()).isGreaterThan(DRAIN_SECONDS + 5);
        assertThat(object("StatefulSet").at("/spec/replicas").asInt())
                .as("the embedded database belongs to one Postern")
                .isEqualTo(1);
    }

    private static JsonNode pod() throws IOException {
        return object("StatefulSet").at("/spec/template/spec");
    }

    private static JsonNode object(String kind) throws IOException {
        Iterable<Object> objects =
                new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(Files.readString(MANIFEST));
        return StreamSupport.stream(objects.spliterator(), false)
                .map(object -> new ObjectMapper().<JsonNode>valueToTree(object))
                .filter(object -> object.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
