package dev.postern.app;

import dev.postern.agent.Backends;
import dev.postern.channel.Channels;
import dev.postern.config.Settings;
import java.util.List;
import java.util.stream.Stream;

/** What the settings name and this version can't use, to be said before the first turn or delivery fails for it. */
final class Unusable {

    private Unusable() {}

    /** One sentence each, with what to write instead. */
    static List<String> of(Settings settings) {
        Backends backends = Backends.of(settings.providers(), settings.home().resolve("work"));
        Channels channels = Channels.of(settings.channels());
        return Stream.concat(backends.unusable().stream(), channels.unusable().stream())
                .toList();
    }
}
