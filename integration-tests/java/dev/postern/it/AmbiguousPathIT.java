package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that an ambiguous path, which two readers may read differently, is not served at any address. */
class AmbiguousPathIT extends DeploymentFixture {

    private static final List<String> ADDRESSES = List.of(
            "hooks/wake", "hooks/none", "health/live", "health/ready", "metrics", "console/login", "console/api/runs");

    /** Pages that anybody may see, so that nothing but the path keeps anybody from them. */
    @Deployment(testable = false)
    static WebArchive postern() {
        return DeploymentHome.with("path", List.of(), "metrics: anyone", "console: viewer")
                .war();
    }

    static List<String> ways() {
        return ProxyPaths.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void showsNoPageUnderAnotherSpelling(String way) throws IOException {
        String target = ProxyPaths.in(contextPath(), site().getAuthority(), way);

        if (!way.equals("/metrics")) { // as it should be spelled
            assertLeadsNowhere("GET", target);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%s;",
                "/%s;x=y",
                "/;/%s",
                "/./%s",
                "/x/../%s",
                "/x/.../%s",
                "/..../%s",
                "/x/..;/%s",
                "//%s",
                "/%s//",
                "/%s/.",
                "/%s/..",
                "/%s/./",
                "/%%2e/%s",
                "/x/%%2e%%2E/%s",
                "/%s%%3b",
                "/%s%%2f",
                "/%%5c%s",
                "/\\%s",
                "/%s%%252e",
                "/%%25%s",
                "/%s%%20"
            })
    void findsNoAddressUnderAnotherSpelling(String spelling) throws IOException {
        for (String address : ADDRESSES) {
            String target = contextPath() + spelling.formatted(address);
            assertLeadsNowhere("GET", target);
            assertLeadsNowhere("POST", target, bearer(), "Content-Type: application/json");
            assertLeadsNowhere("POST", target + "?token=c4nary");
        }
    }

    @Test
    void judgesThePathAlone() {
        assertThatResponse(post("hooks/wake?a=..;%2e//", "{\"text\":\"a\"}").send())
                .isOk(200);
        assertThat(to("health/live?a=..;%2e%5c//").send().status()).isEqualTo(200);
        assertThatResponse(post("hooks/wake/", "{\"text\":\"a\"}").send()).isOk(200);
    }

    /**
     * A server may refuse what is malformed by itself, in its own words, or send its reader to the root of the web application;
     * GlassFish says 200 and nothing more to what it can't decode. A target that is a hook's, once its query is off, is answered as
     * one: 405.
     */
    private void assertLeadsNowhere(String method, String target, String... headers) throws IOException {
        String head = method + " " + target + " HTTP/1.1\r\nHost: " + site().getAuthority()
                + "\r\nConnection: close\r\nContent-Length: 0\r\n"
                + String.join(
                        "", List.of(headers).stream().map(each -> each + "\r\n").toList()) + "\r\n";
        RawResponse rawResponse = exchange(head);
        boolean ours = rawResponse.header("X-Content-Type-Options").isPresent();

        if (ours && rawResponse.status() != 405) {
            assertThatResponse(rawResponse).isError(404, "not_found");
        } else if (List.of(302, 307).contains(rawResponse.status())) {
            assertThat(rawResponse.header("Location").orElseThrow().replaceFirst("[?].*", ""))
                    .endsWith(contextPath() + "/");
        } else if (rawResponse.status() != 200 || !rawResponse.body().isEmpty()) {
            assertThat(rawResponse.status()).as(method + " " + target).isIn(400, 404, 405);
            assertThat(rawResponse.body()).as(target).doesNotContain("postern_", "\"status\"", "<form");
        }
    }

    private String contextPath() {
        return site().getRawPath().replaceAll("/$", "");
    }
}
