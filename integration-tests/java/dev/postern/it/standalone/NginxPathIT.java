package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.it.ProxyPaths;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the paths that the shipped nginx.conf hides, with a real nginx in front of {@code java -jar}. */
class NginxPathIT {

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static URI node;
    private static Nginx nginx;

    /** Pages that anybody may see, so that nothing but the path keeps anybody from them. */
    @BeforeAll
    static void start() throws IOException {
        HomeFixture home = HOMES.newHome().settings(HomeFixture.hooks(), "metrics: anyone", "console: viewer");
        node = home.start().base();
        nginx = Nginx.start(home, node, node);
    }

    static List<String> ways() {
        return ProxyPaths.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void letsNobodyPast(String way) throws IOException {
        String target = ProxyPaths.in("", nginx.base().getAuthority(), way);
        String host = nginx.base().getAuthority();

        RawExchange plain = RawExchange.with(
                nginx.base(), "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        // A request under a key, or one that waits, is passed on in another place of the file.
        RawExchange keyed = RawExchange.with(
                nginx.base(),
                "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nIdempotency-Key: a\r\nConnection: close\r\n\r\n");
        RawExchange waiting = RawExchange.with(
                nginx.base(),
                "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nPrefer: wait=1\r\nConnection: close\r\n\r\n");

        assertThat(List.of(plain, keyed, waiting)).allSatisfy(each -> {
            assertThat(each.status()).as(each.answer()).isIn(400, 404, 405);
            assertThat(each.answer()).doesNotContain("postern_", "jvm_", "\"status\"", "<form", "Location:");
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void isNotAloneInRefusing(String way) throws IOException {
        String target = ProxyPaths.in("", node.getAuthority(), way);
        RawExchange direct = RawExchange.with(
                node, "GET " + target + " HTTP/1.1\r\nHost: " + node.getAuthority() + "\r\nConnection: close\r\n\r\n");

        if (way.equals("/metrics")) { // as it should be spelled: there is something to be kept
            assertThat(direct.status()).isEqualTo(200);
        } else {
            assertThat(direct.status()).as(direct.answer()).isIn(400, 404, 405);
        }
    }

    @Test
    void letsHooksThrough() throws IOException, InterruptedException {
        assertThat(ways()).hasSizeGreaterThan(60);
        HookSender sender = nginx.sender();
        assertThat(sender.post("wake", "{\"text\":\"a\"}").status()).isEqualTo(200);
        assertThat(sender.post("wake?x=..;%2e//", "{\"text\":\"a\"}", "Idempotency-Key", "a")
                        .status())
                .isEqualTo(200);
        PosternResponse waited = sender.post("agent", "{\"message\":\"a\",\"deliver\":false}", "Prefer", "wait=20");
        assertThat(waited.status()).isEqualTo(200);
        assertThat(sender.run(waited.text("runId")).status()).isEqualTo(200);
    }
}
