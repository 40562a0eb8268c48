package dev.postern.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kind of channel, with what it can do. Each kind says so itself. */
enum ChannelKind {
    WHATSAPP(SourceReply.NEVER, null),
    TELEGRAM(SourceReply.NEVER, null),
    DISCORD(SourceReply.NEVER, null),
    SLACK(SourceReply.NEVER, null),
    MATTERMOST(SourceReply.NEVER, null),
    SIGNAL(SourceReply.IF_KNOWN, "account"),
    IMESSAGE(SourceReply.NEVER, null),
    MSTEAMS(SourceReply.NEVER, null),
    GITHUB(SourceReply.IF_KNOWN, "account"),
    GITLAB(SourceReply.IF_KNOWN, "account"),
    JIRA(SourceReply.IF_KNOWN, "account"),
    LINEAR(SourceReply.IF_KNOWN, "account"),
    PAGERDUTY(SourceReply.IF_KNOWN, "account"),
    SENTRY(SourceReply.IF_KNOWN, "account"),
    MAIL(SourceReply.ONLY, "from"),
    WEBHOOK(SourceReply.NEVER, null);

    /** What {@code replyTo: source} means for a kind of channel. */
    enum SourceReply {
        /** The channel does not know its own account, so that the agent would answer itself. */
        NEVER,
        /** A reply goes to the place of the event, or to where other replies go if the event names none. */
        IF_KNOWN,
        /** A reply goes to the place of the event, or to nobody. */
        ONLY
    }

    /** The names of all kinds, in the order in which they are shown. */
    static final List<String> NAMES =
            Arrays.stream(values()).map(ChannelKind::label).toList();

    private final SourceReply sourceReply;
    private final @Nullable String accountSetting;

    ChannelKind(SourceReply sourceReply, @Nullable String accountSetting) {
        this.sourceReply = sourceReply;
        this.accountSetting = accountSetting;
    }

    /** The kind of {@code channel}. */
    static ChannelKind of(Settings.Channel channel) {
        return valueOf(channel.kind().toUpperCase(Locale.ROOT));
    }

    /** The value of the setting {@code kind}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    SourceReply sourceReply() {
        return sourceReply;
    }

    /** The name of the setting with the channel's own account, as events name it; null for {@link SourceReply#NEVER}. */
    @Nullable
    String accountSetting() {
        return accountSetting;
    }
}
