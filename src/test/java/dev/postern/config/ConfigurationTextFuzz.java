package dev.postern.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.it.InputCounter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A fuzz target of the configuration. An input is the text of {@code postern.yaml}. */
@Tag("fuzz")
class ConfigurationTextFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("configurations");

    @TempDir
    private Path home;

    @FuzzTest
    void loadsOrSaysWhatIsWrongWhere(byte[] bytes) {
        INPUTS.increment();
        String text = new String(bytes, StandardCharsets.UTF_8);

        ConfigurationFixture fixture = ConfigurationFixture.home(home);
        ConfigurationResult result = fixture.loadText(text);

        ConfigurationResult again = fixture.loadText(text);
        assertThat(again.warnings()).isEqualTo(result.warnings());
        if (result instanceof ConfigurationResult.Configured configured) {
            assertThat(again).isInstanceOf(ConfigurationResult.Configured.class);
            assertThat(((ConfigurationResult.Configured) again).differences(configured))
                    .isEmpty();
            assertThat(configured.summary()).isNotBlank();
            return;
        }
        ConfigurationResult.Rejected rejected = (ConfigurationResult.Rejected) result;
        assertThat(((ConfigurationResult.Rejected) again).problems()).isEqualTo(rejected.problems());
        assertThat(rejected.problems()).isNotEmpty().allSatisfy(problem -> {
            assertThat(problem.setting()).isNotBlank();
            assertThat(problem.origin().toString()).isNotBlank();
            assertThat(problem.wrong()).isNotBlank();
            assertThat(problem.instead()).isNotBlank();
        });
    }
}
