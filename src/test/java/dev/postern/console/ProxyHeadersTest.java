package dev.postern.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.console.ProxyHeaders.Header;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeadersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    X-Forwarded-For   | 203.0.113.7
                    X-Forwarded-For   | 203.0.113.7, 198.51.100.1
                    X-Forwarded-For   | unknown
                    X-Forwarded-For   | <script>
                    X-Forwarded-For   | [
                    X-Real-IP         | 203.0.113.7
                    Forwarded         | for=203.0.113.7;proto=http
                    Forwarded         | by=192.0.2.1
                    X-Forwarded-Proto | https
                    """)
    void noticesWhatTheServerDidNotGoBy(String name, String value) {
        assertThat(seen("192.0.2.1", name, value, null).unused()).containsExactly(new Header(name, value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    203.0.113.7          | X-Forwarded-For   | 203.0.113.7
                    203.0.113.7          | X-Forwarded-For   | 198.51.100.1, 203.0.113.7:4711
                    203.0.113.7          | X-Real-IP         | 203.0.113.7
                    2001:db8:0:0:0:0:0:1 | X-Forwarded-For   | 2001:DB8::1
                    [2001:db8::1]        | Forwarded         | for="[2001:db8::1]:4711";by=x
                    203.0.113.7          | Forwarded         | For=203.0.113.7
                    192.0.2.1            | X-Forwarded-Proto | HTTP
                    192.0.2.1            | X-Forwarded-Host  | postern.example
                    """)
    void saysNothingOfWhatItWentBy(String address, String name, String value) {
        assertThat(seen(address, name, value, null).unused()).isEmpty();
    }

    @Test
    void believesTomcatThatLeavesTheRestOfAHeader() {
        assertThat(seen("203.0.113.7", "X-Forwarded-For", "198.51.100.1", true).unused())
                .isEmpty();
    }

    @Test
    void showsNoMoreThanTheBeginningOfAHeader() {
        assertThat(seen("192.0.2.1", "X-Forwarded-For", "x".repeat(5_000), null).unused())
                .containsExactly(new Header("X-Forwarded-For", "x".repeat(200)));
    }

    private static ProxyHeaders.Seen seen(String address, String header, String value, @Nullable Object tomcat) {
        Map<String, List<String>> headers = Map.of(header, List.of(value));
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(
                ProxyHeadersTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getRemoteAddr" -> address;
                    case "getScheme" -> "http";
                    case "getServerName" -> "localhost";
                    case "getAttribute" -> tomcat;
                    case "getHeaders" ->
                        Collections.enumeration(headers.getOrDefault((String) arguments[0], List.of()));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return ProxyHeaders.seen(request);
    }
}
