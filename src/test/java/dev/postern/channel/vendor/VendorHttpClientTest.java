package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class VendorHttpClientTest {

    @Test
    void takesNoResponseWhoseTreeWouldBeTooLarge() {
        String many = "[" + "{},".repeat(100_000) + "{}]";

        assertThat(VendorHttpClient.json(many.getBytes(StandardCharsets.UTF_8)).isMissingNode())
                .isTrue();
        assertThat(VendorHttpClient.json("[{},{}]".getBytes(StandardCharsets.UTF_8)))
                .hasSize(2);
        assertThat(VendorHttpClient.json("<html>".getBytes(StandardCharsets.UTF_8))
                        .asText())
                .isEqualTo("<html>");
    }
}
