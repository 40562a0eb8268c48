package dev.postern.access;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class ClientAddressTest {

    @Test
    void isWholeWhereItIsNumeric() {
        String longest = "fe80:1111:2222:3333:4444:5555:6666:7777%wlp0s20f3";

        assertThat(ClientAddress.of(requestFrom(longest))).isEqualTo(longest);
    }

    @Test
    void isCutWhereAProxyPassedAnotherTextOn() {
        assertThat(ClientAddress.of(requestFrom("x".repeat(5_000)))).hasSize(64);
    }

    private static HttpServletRequest requestFrom(String address) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                ClientAddressTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (self, method, arguments) -> address);
    }
}
