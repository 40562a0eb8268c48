package dev.postern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionIdTest {

    @Test
    void noTwoPairsOfAgentAndKeyAreOneSession() {
        Stream<SessionId> ids = Stream.of(
                id("main", "hook:a"),
                id("public", "hook:a"),
                id("main", "agent:public:hook:a"),
                id("public", "agent:public:hook:a"),
                id("main", "main:main"),
                id("main", "main:public"),
                id("public", "main:main"),
                id("public", "main:public"),
                id("main", "agent:main:main:main"));

        assertThat(ids).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "main, hook:a",
        "public, hook:a",
        "public, main:main",
        "main, main:public",
        "main, agent:public:hook:a",
        "a.b-c_d, agent::",
        "main, main"
    })
    void saysWhoseSessionItIsAndWhatItIsCalledThere(String agent, String key) {
        SessionId id = new SessionId(id(agent, key).value());

        assertThat(id.agentId()).isEqualTo(agent);
        assertThat(id.key().value()).isEqualTo(key);
    }

    @Test
    void keepsTheKeysThatOlderProgramsKnow() {
        assertThat(id("main", "hook:a").value()).isEqualTo("hook:a");
        assertThat(SessionId.mainOf("public").value()).isEqualTo("main:public");
        assertThat(SessionId.mainOf("public").isMain()).isTrue();
        assertThat(id("public", "main:main").isMain()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent:", "agent:x", "agent:x:", "agent::x", "main:"})
    void readsWhatAnOlderProgramHasWrittenAsAKeyOfItsOwn(String value) {
        assertThat(new SessionId(value).key().value()).isEqualTo(value);
    }

    private static SessionId id(String agent, String key) {
        return SessionId.of(agent, new SessionKey(key));
    }
}
