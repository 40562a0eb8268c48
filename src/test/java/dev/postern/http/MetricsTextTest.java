package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.AuthenticationFailures;
import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.FailureThrottle;
import dev.postern.access.PasswordAuthenticator;
import dev.postern.config.Settings.Access;
import dev.postern.observe.MetricRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTextTest {

    private static final PasswordAuthenticator GATE = new PasswordAuthenticator(new AuthenticationFailures(
            new FailureThrottle(1, Duration.ofMinutes(1), Duration.ofMinutes(1), System::nanoTime)));

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.1", "1.127.0.0", "::2", "[::2]", "2001:db8::1", "[", "", "localhost", "127.evil.example"
            })
    void isNothingToOtherMachines(String address) throws Exception {
        assertThat(statusFor(Access.LOCAL, address)).isEqualTo(404);
    }

    /** Servers spell the loopback address in more than one way. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "[::1]", "[0:0:0:0:0:0:0:1]"})
    void isShownToTheSameMachine(String address) throws Exception {
        assertThat(statusFor(Access.LOCAL, address)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "[2001:db8::1]"})
    void isShownToAnyoneWhereItIsSaidSo(String address) throws Exception {
        assertThat(statusFor(Access.ANYONE, address)).isEqualTo(200);
    }

    private static int statusFor(Access access, String address) throws Exception {
        HttpServletRequest request = stub(HttpServletRequest.class, (name, argument) -> switch (name) {
            case "getMethod" -> "GET";
            case "getRemoteAddr" -> address;
            case "getHeaderNames" -> Collections.enumeration(List.of("Host"));
            case "getHeaders" -> Collections.enumeration(List.of("localhost:8080"));
            default -> null;
        });
        try (MetricRegistry metricRegistry = new MetricRegistry()) {
            return new MetricsText(
                            metricRegistry,
                            access,
                            new ContainerAuthenticator(GATE),
                            ResponseRecorderFixture.newRecorder())
                    .response(request)
                    .getStatus();
        }
    }

    private static <T> T stub(Class<T> type, Invocation invocation) {
        Object stub = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> invocation.answer(
                        method.getName(), arguments == null ? null : arguments[arguments.length - 1]));
        return type.cast(stub);
    }

    private interface Invocation {
        Object answer(String name, Object lastArgument);
    }
}
