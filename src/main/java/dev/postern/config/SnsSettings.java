package dev.postern.config;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topics of Amazon SNS whose messages are taken.
 *
 * @param topics their Amazon Resource Names; no other topic can open a hook
 * @param endpoint the address of a service other than Amazon's that has the topics; null for Amazon's own
 */
public record SnsSettings(List<String> topics, @Nullable URI endpoint) {

    private static final int PARTITION = 1;
    private static final int REGION = 3;

    public SnsSettings {
        topics = List.copyOf(topics);
    }

    /**
     * The address of the service that sends the messages of {@code topic}, without a path.
     *
     * @param topic one of {@link #topics}
     * @see <a href="https://docs.aws.amazon.com/general/latest/gr/sns.html">Amazon SNS endpoints</a>
     */
    public URI endpointOf(String topic) {
        if (endpoint != null) {
            return endpoint;
        }
        String[] name = topic.split(":", -1);
        String domain = name[PARTITION].equals("aws-cn") ? "amazonaws.com.cn" : "amazonaws.com";
        return URI.create("https://sns." + name[REGION] + "." + domain);
    }
}
