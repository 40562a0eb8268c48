package dev.postern.channel.text;

/** A markup language into which a reply's Markdown can be converted for a channel. */
public enum MarkupLanguage {
    /** Discord's dialect of Markdown. */
    DISCORD,
    /** Mattermost's dialect, close to GitHub's. */
    MATTERMOST,
    /** The subset of Markdown that Teams supports in a bot's message. */
    TEAMS,
    /** The subset of Markdown that Teams supports in an Adaptive Card's text block. */
    CARD,
    /** The Markdown of comments on GitHub and GitLab, in which nothing mentions, refers or commands. */
    COMMENT,
    /** The same, with mentions and references. */
    COMMENT_WITH_MENTIONS,
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
    /** Markdown as the model wrote it. */
    RAW
}
