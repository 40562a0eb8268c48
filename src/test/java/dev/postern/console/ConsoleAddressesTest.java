package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConsoleAddressesTest {

    private static final String ROOT = "/postern/console/";

    @Test
    void forgetsPageThatIsTooLongForAHeaderOfTheResponse() {
        assertThat(ConsoleAddresses.login(ROOT, "runs?error=" + ",".repeat(700)))
                .as("2,100 characters with their percent-encoding")
                .isEqualTo(ROOT + "login?next=");
        assertThat(ConsoleAddresses.login(ROOT, "runs?error=" + ",".repeat(600)))
                .endsWith("%2C%2C");
    }

    @Test
    void leadsFromTheLoginToThePage() {
        assertThat(ConsoleAddresses.login(ROOT, "runs?status=failed"))
                .isEqualTo(ROOT + "login?next=runs%3Fstatus%3Dfailed");
    }
}
