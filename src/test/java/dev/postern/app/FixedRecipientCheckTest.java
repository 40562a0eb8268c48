package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.ConfigurationFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixedRecipientCheckTest {

    @TempDir
    Path home;

    @Test
    void findsWhoIsAskedForApprovalsAndCannotBeReached() {
        assertThat(problems("askChannel: ops"))
                .singleElement()
                .asString()
                .startsWith("agents.list[0].tools.askChannel: the agent a asks on this channel, and ");
        assertThat(problems("askChannel: ops, askTo: C0123456789")).isEmpty();
        assertThat(problems("askChannel: inbox")).isEmpty();
        assertThat(problems("approve: [run]")).isEmpty();
    }

    private List<String> problems(String tools) {
        return FixedRecipientCheck.problems(ConfigurationFixture.yaml(
                        home,
                        "channels: {ops: {kind: slack, botToken: xoxb-1}}\nagents: {list: [{id: a, tools: {" + tools
                                + "}}]}")
                .settings());
    }
}
