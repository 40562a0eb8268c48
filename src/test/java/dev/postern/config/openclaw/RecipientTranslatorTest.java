package dev.postern.config.openclaw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of recipients in the forms of OpenClaw's documentation. */
class RecipientTranslatorTest {

    @ParameterizedTest
    @CsvSource({
        "slack, channel:C0123456789, C0123456789",
        "slack, user:U0123456789, U0123456789",
        "slack, C0123456789, C0123456789",
        "discord, channel:1046111111111111111, 1046111111111111111",
        "discord, user:1046111111111111111, user:1046111111111111111",
        "telegram, tg:123456789, 123456789",
        "telegram, -1001234567890:topic:42, -1001234567890/42",
        "telegram, telegram:-1001234567890:topic:42, -1001234567890/42",
        "telegram, telegram:group:-1001234567890:topic:42, -1001234567890/42",
        "telegram, @ops, @ops",
        "signal, signal:+4915550001, +4915550001",
        "whatsapp, +4915550001, +4915550001",
        "msteams, conversation:19:x@thread.tacv2, 19:x@thread.tacv2",
        "last, channel:C1, channel:C1",
        "slack, channel:{{channel}}, {{channel}}"
    })
    void writesARecipientAsPosternDoes(String channel, String original, String translated) {
        assertThat(RecipientTranslator.translate(channel, original)).isEqualTo(translated);
    }
}
