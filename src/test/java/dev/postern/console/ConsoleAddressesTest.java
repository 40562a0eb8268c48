package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConsoleAddressesTest {

    private static final String ROOT = "/postern/console/";

    @Test
    void forgetsPageThatIsTooLongForAHeaderOfTheResponse() {
        assertThat(ConsoleAddresses.login(ROOT, "runs?error=" + ",".repeat(3_000)))
                .isEqualTo(ROOT + "login?next=");
        assertThat(ConsoleAddresses.login(ROOT, "runs?error=" + ",".repeat(1_900)))
                .hasSizeLessThan(6_000);
    }

    @Test
    void leadsFromTheLoginToThePage() {
        assertThat(ConsoleAddresses.login(ROOT, "runs?status=failed"))
                .isEqualTo(ROOT + "login?next=runs%3Fstatus%3Dfailed");
    }
}
