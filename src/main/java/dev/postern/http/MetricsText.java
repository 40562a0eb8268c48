package dev.postern.http;

import dev.postern.access.ContainerAuthenticator;
import dev.postern.access.ContainerAuthenticator.LoginResult;
import dev.postern.access.LocalRequestRule;
import dev.postern.access.UserRole;
import dev.postern.config.Settings.Access;
import dev.postern.observe.MetricRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The text of all metrics in Prometheus' format, for those whom the setting {@code metrics} allows to read it. */
public final class MetricsText {

    private final MetricRegistry metricRegistry;
    private final Access access;
    private final ContainerAuthenticator login;
    private final ResponseRecorder responseRecorder;

    /**
     * Creates the text of {@code metricRegistry}.
     *
     * @param access who may read it; {@code LOCAL} follows {@link LocalRequestRule}
     * @param login authenticates users if {@code access} is {@code VIEWER}
     * @param responseRecorder counts the error responses of that authentication
     */
    public MetricsText(
            MetricRegistry metricRegistry,
            Access access,
            ContainerAuthenticator login,
            ResponseRecorder responseRecorder) {
        this.metricRegistry = metricRegistry;
        this.access = access;
        this.login = login;
        this.responseRecorder = responseRecorder;
    }

    Response response(HttpServletRequest request) {
        @Nullable FixedErrorResponse fixedErrorResponse = refusal(request);
        if (fixedErrorResponse != null) {
            return fixedErrorResponse.response();
        }
        byte[] text = metricRegistry.scrape().getBytes(StandardCharsets.UTF_8);
        return Response.ok(text)
                .header(
                        HttpHeaders.CONTENT_TYPE,
                        MetricRegistry.CONTENT_TYPE) // a string, because a MediaType's parameters have no order
                .header(HttpHeaders.CONTENT_LENGTH, text.length)
                .build();
    }

    private @Nullable FixedErrorResponse refusal(HttpServletRequest request) {
        return switch (access) {
            case ANYONE -> null;
            case LOCAL -> LocalRequestRule.covers(request) ? null : FixedErrorResponse.NOT_FOUND;
            case VIEWER -> counted(loginFault(request));
            case OFF -> FixedErrorResponse.NOT_FOUND;
        };
    }

    private @Nullable FixedErrorResponse counted(@Nullable FixedErrorResponse fixedErrorResponse) {
        if (fixedErrorResponse != null) {
            responseRecorder.recordError(fixedErrorResponse);
        }
        return fixedErrorResponse;
    }

    private @Nullable FixedErrorResponse loginFault(HttpServletRequest request) {
        if (request.getUserPrincipal() != null) { // the server itself has logged a user in
            return UserRole.of(request::isUserInRole).isPresent() ? null : FixedErrorResponse.NO_ROLE;
        }
        @Nullable LoginResult loginResult = login.basic(request).orElse(null);
        if (loginResult instanceof LoginResult.LoggedIn) {
            return null;
        }
        if (loginResult instanceof LoginResult.Throttled throttled) {
            return FixedErrorResponse.loginsThrottled(throttled.seconds());
        }
        return loginResult instanceof LoginResult.NoRole ? FixedErrorResponse.NO_ROLE : FixedErrorResponse.LOGIN;
    }
}
