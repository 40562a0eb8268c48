package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmbiguousPathFilterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/my%20app/x/../hooks/wake",
                "/my%20app/x/.../hooks/wake",
                "/my%20app%2fhooks/wake",
                "/my%20%61pp/hooks/wake",
                "/x/..;/my%20app/hooks/wake",
                "/my%20app;x/hooks/wake",
                "/./my%20app/hooks/wake",
                "//my%20app/hooks/wake",
                "/my%20app//hooks/wake",
                "/other/hooks/wake",
                "/hooks/wake",
                "http://host/my%20app/hooks/wake",
                ""
            })
    void refusesContextPathThatIsSpelledOtherwise(String path) {
        assertThat(in("/my app").isPlain(path)).isFalse();
        assertThat(in("/my%20app").isPlain(path)).as("as other servers have it").isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/my%20app", "/my%20app/", "/my%20app/hooks/wake", "/my%20app/hooks/a.b/..c/.d/e../...:@!"})
    void takesContextPathWithTheEscapesThatItNeeds(String path) {
        assertThat(in("/my app").isPlain(path)).isTrue();
        assertThat(in("/my%20app").isPlain(path)).as("as other servers have it").isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/hooks/wake/", "/console/assets/console.css", "/health/live", "/metrics"})
    void takesEveryAddressOfTheRoot(String path) {
        assertThat(in("").isPlain(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/metrics/.",
                "/..",
                "/.",
                "/...",
                "/..../metrics",
                "//",
                "/a//",
                "/a;",
                "/a%62",
                "/a\\b",
                "/a b",
                "/\u00e4",
                "/a\u007f"
            })
    void rejectsPathThatTwoReadersReadDifferently(String path) {
        assertThat(in("").isPlain(path)).isFalse();
    }

    private static AmbiguousPathFilter in(String contextPath) {
        Object context = Proxy.newProxyInstance(
                AmbiguousPathFilterTest.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (self, method, arguments) -> contextPath);
        return new AmbiguousPathFilter((ServletContext) context, NotFoundServlet.chain());
    }
}
