package dev.postern.config;

import dev.postern.model.Recipient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The names by which requests and settings call the configured channels: their ids, and the name of a chat product for the
 * only channel of that kind. Senders of OpenClaw's hooks know the products' names alone.
 */
public final class ChannelNames {

    private final Map<String, String> ids = new TreeMap<>();

    /** Creates the names of {@code channels}, by id. */
    public ChannelNames(Map<String, Settings.Channel> channels) {
        for (String chat : Recipient.CHATS) {
            List<String> ofKind = channels.values().stream()
                    .filter(channel -> channel.kind().equals(chat))
                    .map(Settings.Channel::id)
                    .toList();
            if (ofKind.size() == 1) {
                ids.put(chat, ofKind.get(0));
            }
        }
        channels.keySet().forEach(id -> ids.put(id, id));
    }

    /** The id of the channel that {@code name} stands for; {@code name} itself if it stands for none. */
    public String id(String name) {
        return ids.getOrDefault(name, name);
    }

    /** All names, in alphabetical order. */
    Set<String> all() {
        return ids.keySet();
    }
}
