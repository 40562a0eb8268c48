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

    @Test
    void findsMappingsWhoseRecipientTheirChannelRejects() {
        assertThat(mappingProblems("action: deliver, channel: ops, to: 'group:-100123:topic:5'"))
                .singleElement()
                .asString()
                .contains("the mapping m delivers to this channel, and ");
        assertThat(mappingProblems("channel: ops, to: 'group:-100123:topic:5'")).hasSize(1);
        assertThat(mappingProblems("channel: telegram, to: 'group:-100123:topic:5'"))
                .hasSize(1);
        assertThat(mappingProblems("channel: ops, to: '-100123'")).isEmpty();
        assertThat(mappingProblems("channel: ops")).isEmpty();
        assertThat(mappingProblems("channel: ops, to: '{{to}}'")).isEmpty();
        assertThat(mappingProblems("channel: last, to: 'group:-100123:topic:5'"))
                .isEmpty();
    }

    @Test
    void saysThatToIsMissing() {
        assertThat(problems("askChannel: ops"))
                .singleElement()
                .asString()
                .contains(
                        "and to is missing, and no earlier reply names a recipient on this channel: write a channel's id");
    }

    private List<String> mappingProblems(String mapping) {
        return FixedRecipientCheck.problems(ConfigurationFixture.yaml(
                        home,
                        "channels: {ops: {kind: telegram, botToken: '1:a'}}\n"
                                + "hooks: {enabled: true, token: a-token-that-is-long-enough-01,"
                                + " mappings: [{id: m, match: {path: m}, messageTemplate: x, " + mapping + "}]}")
                .settings());
    }

    private List<String> problems(String tools) {
        return FixedRecipientCheck.problems(ConfigurationFixture.yaml(
                        home,
                        "channels: {ops: {kind: slack, botToken: xoxb-1}}\nagents: {list: [{id: a, tools: {" + tools
                                + "}}]}")
                .settings());
    }
}
