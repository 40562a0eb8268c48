package dev.postern.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.CredentialHeaders;
import dev.postern.model.ErrorCode;
import dev.postern.model.RequestOrigin;
import jakarta.servlet.FilterChain;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmittedRequestTest {

    /** As Jetty does in a request that was under way when it stopped the web application. */
    private static final FilterChain STOPPED = (request, response) -> {
        throw new UnavailableException("Servlet Not Initialized");
    };

    @Test
    void tellsTheSenderToTryAgainWhereTheServletHasEnded() throws Exception {
        ResponseRecorder responseRecorder = ResponseRecorderFixture.newRecorder();
        HttpServletRequest request = stub(HttpServletRequest.class, (self, method, args) -> switch (method.getName()) {
            case "setAttribute", "getHeader" -> null;
            case "getHeaders" -> Collections.emptyEnumeration();
            case "getAttribute" -> new RequestStart("192.0.2.1", "wake", 0, null, null, "");
            default -> throw new UnsupportedOperationException(method.getName());
        });
        Map<String, Object> said = new HashMap<>();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        HttpServletResponse response = stub(HttpServletResponse.class, (self, method, args) -> {
            switch (method.getName()) {
                case "getOutputStream" -> {
                    return new RecordingOutputStream(sent);
                }
                case "setHeader" -> said.put((String) args[0], args[1]);
                default -> said.put(method.getName(), args[0]);
            }
            return null;
        });
        RequestOrigin origin = new RequestOrigin("req_1", "192.0.2.1", "token", 0);

        new AdmittedRequest(request, "wake", new byte[0], null, false, new CredentialHeaders(Set.of()), origin)
                .carryOut(request, response, STOPPED, responseRecorder);

        assertThat(said).containsEntry("setStatus", 503).containsEntry("Retry-After", "5");
        assertThat(sent.toString(UTF_8)).contains("Postern is being stopped. Nothing was accepted.");
        assertThat(responseRecorder.errors(ErrorCode.UNAVAILABLE)).isOne();
    }

    private static <T> T stub(Class<T> type, InvocationHandler answers) {
        return type.cast(
                Proxy.newProxyInstance(AdmittedRequestTest.class.getClassLoader(), new Class<?>[] {type}, answers));
    }
}
