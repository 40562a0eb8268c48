package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that {@code java -jar} takes a client's address only from {@code server.trustedProxies}. */
class TrustedProxiesIT {

    private static final String PROXY = "127.0.0.2";
    private static final String ANOTHER_PROXY = "127.0.0.19";
    private static final String STRANGER = "127.0.0.4";
    private static final int FAILURES = 5;

    private static final AtomicInteger COUNT = new AtomicInteger();

    @RegisterExtension
    static final HomeFixtureExtension HOMES = HomeFixtureExtension.ofClass();

    private static HomeFixture home;
    private static URI node;

    @BeforeAll
    static void start() throws IOException {
        home = HOMES.newHome()
                .settings(
                        HomeFixture.hooks("throttle: {failures: " + FAILURES + "}"),
                        "console: viewer",
                        "server: {trustedProxies: [127.0.0.2, 127.0.0.16/29, 10.0.0.0/8, 'fd00::/8']}");
        node = home.start().base();
    }

    /** The client is the last address that is no trusted proxy; a value that is no address names no client. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.9 | 203.0.113.9",
                "203.0.113.9, 10.1.2.3 | 203.0.113.9",
                "198.51.100.1, 203.0.113.9, 10.1.2.3, 10.255.0.1 | 203.0.113.9",
                "203.0.113.9, fd00::1, 127.0.0.18 | 203.0.113.9",
                "127.0.0.1, 203.0.113.9 | 203.0.113.9",
                "2001:db8::5 | 2001:db8::5",
                "2001:db8::5,fd12::9 | 2001:db8::5",
                "10.9.9.9 | 10.9.9.9",
                "c4nary | 127.0.0.2",
                "c4nary, 10.1.2.3 | 10.1.2.3",
                "203.0.113.9, c4nary | 127.0.0.2",
                "203.0.113.9:4711 | 203.0.113.9",
                "203.0.113.9:4711, 10.1.2.3:80 | 203.0.113.9",
                "203.0.113.9:c4nary | 127.0.0.2",
                "203.0.113.999:4711 | 127.0.0.2",
                "[2001:db8::5]:443 | 2001:db8::5",
                "[2001:db8::5 | 127.0.0.2",
                "[203.0.113.9]x | 127.0.0.2",
                "abc:80 | 127.0.0.2",
                "203.0.113.999 | 127.0.0.2",
                "1.2.3 | 127.0.0.2",
                "[2001:db8::5] | 2001:db8::5",
                "unknown | 127.0.0.2",
                "'' | 127.0.0.2",
                "',,,' | 127.0.0.2",
                "'203.0.113.9,' | 127.0.0.2",
                "203.0.113.9%0a | 127.0.0.2"
            })
    void takesTheClientFromWhatAProxySays(String forwarded, String client) throws IOException {
        assertThat(clientOf(PROXY, "X-Forwarded-For: " + forwarded)).isEqualTo(client);
        assertThat(clientOf(ANOTHER_PROXY, "X-Forwarded-For: " + forwarded))
                .isEqualTo(client.equals(PROXY) ? ANOTHER_PROXY : client);
    }

    @Test
    void readsSeveralHeadersAsOne() throws IOException {
        assertThat(clientOf(
                        PROXY,
                        "X-Forwarded-For: 198.51.100.1",
                        "X-Forwarded-For: 203.0.113.9",
                        "x-forwarded-for: 10.1.2.3"))
                .isEqualTo("203.0.113.9");
        assertThat(clientOf(PROXY)).isEqualTo(PROXY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: 203.0.113.9",
                "X-Forwarded-For: 127.0.0.2",
                "X-Forwarded-For: 203.0.113.9, 127.0.0.2",
                "Forwarded: for=203.0.113.9",
                "X-Real-IP: 203.0.113.9",
                "X-Forwarded-By: 127.0.0.2"
            })
    void believesNobodyElse(String header) throws IOException {
        assertThat(clientOf(STRANGER, header)).isEqualTo(STRANGER);
    }

    @Test
    void locksOutAProxysClientAndNoOther() throws IOException {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(fail(PROXY, "X-Forwarded-For: 198.51.100.7")).isEqualTo(401);
        }

        assertThat(fail(PROXY, "X-Forwarded-For: 198.51.100.7")).isEqualTo(429);
        assertThat(fail(ANOTHER_PROXY, "X-Forwarded-For: 198.51.100.7")).isEqualTo(429);
        assertThat(fail(PROXY, "X-Forwarded-For: 198.51.100.8")).isEqualTo(401);
    }

    @Test
    void locksOutWhoNamesOthersWithoutBeingTrusted() throws IOException {
        for (int i = 0; i < FAILURES; i++) {
            assertThat(fail("127.0.0.5", "X-Forwarded-For: 198.51.100.2" + i)).isEqualTo(401);
        }

        assertThat(fail("127.0.0.5", "X-Forwarded-For: 198.51.100.30")).isEqualTo(429);
    }

    @Test
    void keepsTheSessionToHttpsWhereAProxySaysThatItCameSo() throws IOException {
        assertThat(login(PROXY, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"))
                .contains("; Secure");
        assertThat(login(PROXY, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: http"))
                .doesNotContain("Secure");
        assertThat(login(STRANGER, "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"))
                .doesNotContain("Secure");
    }

    /** Not even where the proxy passes on what a client has made up. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1", "127.0.0.2, 127.0.0.17", "c4nary", "127.evil.example"})
    void makesNobodyLocal(String forwarded) throws IOException {
        assertThat(get(PROXY, "/metrics", "X-Forwarded-For: " + forwarded)).isEqualTo(404);
        assertThat(get(STRANGER, "/metrics", "X-Forwarded-For: " + forwarded)).isEqualTo(404);
        assertThat(get(PROXY, "/metrics")).isEqualTo(200);
    }

    /** The client that the console shows for a request from {@code address}. */
    private static String clientOf(String address, String... headers) throws IOException {
        String body = "{\"text\":\"" + COUNT.incrementAndGet() + "\"}";
        RawExchange taken = RawExchange.with(
                node,
                address,
                head("POST /hooks/wake", headers, "Authorization: Bearer " + HomeFixture.TOKEN, length(body)) + body);
        assertThat(taken.status()).as(taken.answer()).isEqualTo(200);
        RawExchange requests = RawExchange.with(
                node, head("GET /console/api/requests", new String[0], "Authorization: " + home.operator()));
        Matcher client = Pattern.compile("\"client\":\"([^\"]*)\"").matcher(requests.answer());
        assertThat(client.find()).as(requests.answer()).isTrue();
        return client.group(1);
    }

    private static int fail(String address, String header) throws IOException {
        String[] headers = {header};
        return RawExchange.with(
                        node, address, head("POST /hooks/wake", headers, "Authorization: Bearer c4nary", length("")))
                .status();
    }

    private static int get(String address, String path, String... headers) throws IOException {
        return RawExchange.with(node, address, head("GET " + path, headers)).status();
    }

    /** The cookie that a login from {@code address} is given. */
    private static String login(String address, String... headers) throws IOException {
        String body = "name=operator&password="
                + URLEncoder.encode(home.read("secrets/console-password").strip(), StandardCharsets.UTF_8);
        RawExchange answer = RawExchange.with(
                node,
                address,
                head("POST /console/login", headers, "Content-Type: application/x-www-form-urlencoded", length(body))
                        + body);
        return answer.answer()
                .lines()
                .filter(line -> line.startsWith("Set-Cookie: "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(answer.answer()));
    }

    private static String length(String body) {
        return "Content-Length: " + body.length();
    }

    private static String head(String line, String[] headers, String... more) {
        StringBuilder head = new StringBuilder(line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        for (String header : more) {
            head.append(header).append("\r\n");
        }
        return head.append("\r\n").toString();
    }
}
