package dev.postern.app;

import dev.postern.channel.ChannelRegistry;
import dev.postern.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The recipients to whom answers may be mailed: those that every channel of kind {@code mail} takes. There is none without
 * such a channel.
 *
 * @param ids the ids of these channels
 */
record MailAnswers(List<String> ids, ChannelRegistry channels) implements Predicate<String> {

    static MailAnswers of(Map<String, Settings.Channel> configured, ChannelRegistry channels) {
        List<String> ids = configured.values().stream()
                .filter(channel -> channel.kind().equals("mail"))
                .map(Settings.Channel::id)
                .toList();
        return new MailAnswers(ids, channels);
    }

    @Override
    public boolean test(String to) {
        return !ids.isEmpty() && ids.stream().allMatch(id -> channels.refusal(id, to) == null);
    }
}
