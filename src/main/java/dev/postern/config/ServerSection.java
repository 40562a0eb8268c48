package dev.postern.config;

import dev.postern.config.Member.Group;
import dev.postern.config.Member.Setting;
import java.util.List;

/** {@code server}: what of {@code java -jar}'s own server can be set in a file. */
final class ServerSection {

    private ServerSection() {}

    static final Setting<List<String>> TRUSTED_PROXIES = Setting.optional(
            "trustedProxies",
            new ListKinds.TextList(new NetworkKind()),
            "The proxies in front of java -jar, by address or network: their X-Forwarded-For and X-Forwarded-Proto say who the"
                    + " client is, for the failure throttle and the log, and whether it came by https. Nobody else's do. In"
                    + " another server this is a setting of that server: see deploy-descriptors/.");
    static final Group SERVER = Group.of("server", "The server of java -jar.", TRUSTED_PROXIES);

    static Settings.ServerSettings read(Section section) {
        return new Settings.ServerSettings(section.given(TRUSTED_PROXIES).orElse(List.of()));
    }
}
