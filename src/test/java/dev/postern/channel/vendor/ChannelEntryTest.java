package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.channel.Channel.Probe;
import dev.postern.config.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChannelEntryTest {

    private static final ChannelEntry MINE =
            new ChannelEntry(new Settings.Channel("ops", "github", Map.of("account", "My-Bot"), Map.of()));
    private static final ChannelEntry ANY = new ChannelEntry(new Settings.Channel("ops", "github", Map.of(), Map.of()));

    @Test
    void credentialsOfAnotherAccountAreBad() {
        assertThat(MINE.valid("Ada", "ada"))
                .isEqualTo(new Probe.Bad(
                        "channels.ops.account is [My-Bot], but the credentials are those of the" + " account [ada]"));
    }

    @Test
    void accountIsToldWhereItIsNoName() {
        assertThat(MINE.valid("my-bot", "my-bot")).isEqualTo(new Probe.Good("my-bot"));
        assertThat(MINE.valid("Bot", null)).isEqualTo(new Probe.Good("Bot"));
        assertThat(ANY.valid("Ada", "7")).isEqualTo(new Probe.Good("Ada, account 7"));
        assertThat(ANY.valid(null, "7")).isEqualTo(new Probe.Good("account 7"));
        assertThat(ANY.valid(null, null)).isEqualTo(new Probe.Good(null));
    }
}
