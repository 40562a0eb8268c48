package dev.postern.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcknowledgementTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The disk is full.",
                "NO_REPLY needed, but the disk is full.",
                "Say HEARTBEAT_OK when you are done.",
                "HEARTBEAT_OKAY",
                "NOT_HEARTBEAT_OK",
                "HEARTBEAT_OK_2",
                "heartbeat_ok",
                "no reply"
            })
    void isNothingThatSaysMore(String reply) {
        assertThat(Acknowledgement.is(reply)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " \n",
                "NO_REPLY",
                "`NO_REPLY`\n",
                "HEARTBEAT_OK",
                "**HEARTBEAT_OK**",
                "HEARTBEAT_OK.",
                "HEARTBEAT_OK - nothing new",
                "All quiet.\n\nHEARTBEAT_OK\n"
            })
    void isAReplyWithoutNews(String reply) {
        assertThat(Acknowledgement.is(reply)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 5_000})
    void isNoLongReply(int further) {
        assertThat(Acknowledgement.is("HEARTBEAT_OK " + "x".repeat(further))).isFalse();
        assertThat(Acknowledgement.is("x".repeat(further) + " HEARTBEAT_OK")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void hasAtMost300FurtherCharacters(int further) {
        assertThat(Acknowledgement.is("HEARTBEAT_OK\n" + "x".repeat(further))).isTrue();
        assertThat(Acknowledgement.is("x".repeat(further) + "\nHEARTBEAT_OK")).isTrue();
    }
}
