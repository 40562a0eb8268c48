package dev.postern.channel.text;

import java.util.List;

/** The dialect of Mattermost's Markdown, which is GitHub's without HTML except entities. */
final class MattermostDialect extends GitHubFlavoredDialect {

    @Override
    List<String> massMentions() {
        return List.of("all", "channel", "here");
    }

    @Override
    boolean isMention(String text, int from, int index) {
        return CharacterClasses.isMention(text, from, index) || super.isMention(text, from, index);
    }

    @Override
    void character(StringBuilder out, StyledSpan styledSpan, int index) {
        out.append(styledSpan.at(index)).append(isCharacterReference(styledSpan, index) ? "amp;" : "");
    }
}
