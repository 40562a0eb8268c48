package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ann",
                "@example.com",
                "ann@",
                ".ann@example.com",
                "ann.@example.com",
                "a..b@example.com",
                "ann@example..com",
                "ann@-example.com",
                "ann@example-.com",
                "ann@.example.com",
                "ann@example.com.",
                "ann@example_1.com",
                "ann@b@example.com",
                "\"ann\"@example.com",
                "ann@[127.0.0.1]",
                "ann/x@example.com",
                "änn@example.com",
                "ann@example.com\n",
                "ann@example.com\r\nBcc: bob@example.com",
                " ann@example.com"
            })
    void takesNothingElse(String text) {
        assertThat(MailAddress.matches(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a@b",
                "ann@example.com",
                "ann.lee+x@mail-1.example.com",
                "o'brien=!#$%&*?^_`{|}~-@example.com",
                "1@2.3"
            })
    void takesAddresses(String text) {
        assertThat(MailAddress.matches(text)).isTrue();
    }

    @Test
    void knowsTheGreatestLengths() {
        String local = "a".repeat(64);
        String domain = "b".repeat(254 - 65);

        assertThat(MailAddress.matches(local + "@" + domain)).isTrue();
        assertThat(MailAddress.matches(local + "@" + domain + "b")).isFalse();
        assertThat(MailAddress.matches(local + "a@b")).isFalse();
        assertThat(MailAddress.matches("a-".repeat(1_000_000) + "@")).isFalse();
    }
}
