package dev.postern.channel.text;

/** What a channel makes of a text: the languages that a reply's Markdown is turned into. */
public enum MarkupLanguage {
    /** Discord's dialect of Markdown. */
    DISCORD,
    /** Mattermost's dialect, close to GitHub's. */
    MATTERMOST,
    /** What Teams understands of Markdown in a bot's message. */
    TEAMS,
    /** What Teams understands of Markdown in an Adaptive Card's text block. */
    CARD,
    /** Slack's mrkdwn. */
    SLACK,
    /** Telegram's HTML mode. */
    TELEGRAM,
    /** WhatsApp's plain styles. */
    WHATSAPP,
    /** The styled mode of signal-cli-rest-api. */
    SIGNAL,
    /** No styles at all. */
    PLAIN,
    /** Markdown as it came. */
    RAW
}
