package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnAddressTest {

    private static final String ROOT = "/postern/console/";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not an address",
                "about:blank",
                "https://evil.example/postern/console/runs",
                "https://postern.example.evil.example/postern/console/runs",
                "https://postern.example@evil.example/postern/console/runs",
                "//evil.example/postern/console/runs",
                "/postern/console/runs",
                "https://postern.example/other/console/runs",
                "https://postern.example/postern/consoles",
                "https://postern.example/postern/hooks/wake",
                "https://postern.example/postern/console/../hooks/wake",
                "https://postern.example/postern/console/%2e%2e/hooks/wake",
                "https://postern.example/postern/console//evil.example/",
                "https://postern.example/postern/console/%2Fevil.example/",
                "https://postern.example/postern/console/%5Cevil.example",
                "https://postern.example/postern/console/\\evil.example",
                "https://postern.example/postern/console/;x/runs",
                "https://postern.example/postern/console/runs\r\nX-Header: 1",
                "https://postern.example:8443/postern/console/runs"
            })
    void knowsNoPageButThoseOfTheConsole(String referer) {
        assertThat(ReturnAddress.of(referer, "postern.example", ROOT)).isEmpty();
    }

    @Test
    void knowsNothingWithoutReferer() {
        assertThat(ReturnAddress.of(null, "postern.example", ROOT)).isEmpty();
        assertThat(ReturnAddress.of("https://postern.example/postern/console/runs", null, ROOT))
                .isEmpty();
    }

    @Test
    void knowsNoPageThatIsTooLongForAHeaderOfTheResponse() {
        String page = "https://postern.example/postern/console/runs?a=";

        assertThat(ReturnAddress.of(page + "x".repeat(2_000), "postern.example", ROOT))
                .isEmpty();
        assertThat(ReturnAddress.of(page + "x".repeat(1_900), "postern.example", ROOT))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "https://postern.example/postern/console/, ''",
        "http://POSTERN.example/postern/console/runs, runs",
        "https://postern.example/postern/console/deliveries?status=failed&before=12, deliveries?status=failed&before=12",
        "https://postern.example/postern/console/session?key=hook%3Aa%2Fb, session?key=hook%3Aa%2Fb"
    })
    void leadsBackToPageWithItsQuery(String referer, String place) {
        assertThat(ReturnAddress.of(referer, "postern.example", ROOT)).contains(place);
    }
}
