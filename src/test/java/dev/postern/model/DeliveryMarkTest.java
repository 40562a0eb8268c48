package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryMarkTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "postern: a gate",
                "see dlv_01m8bd6gqj69rthhm26q5k4903",
                "c7cafc52-994d-4984-a217-bff9f9aa9473",
                "postern:run_01m8bd6gqj69rthhm26q5k4903"
            })
    void textsOfPeopleHaveNone(String text) {
        assertThat(DeliveryMark.in(text)).isEmpty();
    }

    @Test
    void isLookedForInTimeThatGrowsWithTheLengthAlone() {
        String text = "\u03A3".repeat(200_000);

        assertThat(assertTimeoutPreemptively(Duration.ofSeconds(5), () -> DeliveryMark.in(text)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Fine.<!-- postern:dlv_01m8.1 -->|dlv_01m8",
                "(postern:dlv_01m8.1)|dlv_01m8",
                "(postern:dlv\\_01m8.1)|dlv_01m8",
                "quoted postern:dlv_aaa.1 and postern:dlv_bbb.2|dlv_bbb",
                "postern:dlv_|dlv_"
            })
    void markInTextTellsItsDelivery(String text, String id) {
        assertThat(DeliveryMark.in(text)).contains(new DeliveryMark(id));
    }

    @Test
    void commentsIdTellsThatItIsOfSomePostern() {
        UUID id = DeliveryMark.uuid("dlv_01m8bd6gqj69rthhm26q5k4903.1");

        assertThat(id.version()).isEqualTo(4);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id)
                .isEqualTo(DeliveryMark.uuid("dlv_01m8bd6gqj69rthhm26q5k4903.1"))
                .isNotEqualTo(DeliveryMark.uuid("dlv_01m8bd6gqj69rthhm26q5k4903.2"));
        assertThat(DeliveryMark.in(" " + id.toString().toUpperCase(Locale.ROOT)))
                .contains(new DeliveryMark(null));
        assertThat(DeliveryMark.in(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 1).toString()))
                .isEmpty();
    }
}
