package dev.postern.config;

import dev.postern.config.ListTypes.TextList;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.config.ScalarTypes.Text;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code hooks.sns}: the topics of Amazon SNS that may send to the hooks with {@code verify: {scheme: sns}}. */
final class SnsSection {

    private SnsSection() {}

    /** The name of the preset, which needs the topics. */
    static final String PRESET = "sns";

    private static final Pattern TOPIC =
            Pattern.compile("arn:aws[a-z-]{0,20}:sns:[a-z0-9-]{1,40}:\\d{12}:[A-Za-z0-9_-]{1,256}(\\.fifo)?");

    static final Setting<List<String>> TOPICS = Setting.needed(
            "topics",
            new TextList(new Text("a topic's ARN such as arn:aws:sns:eu-west-1:123456789012:alarms", TOPIC)),
            "The topics whose subscriptions are confirmed and whose messages are taken.");
    static final Setting<URI> ENDPOINT = Setting.optional(
            "endpoint",
            new Address(true),
            "The address of a stand-in for SNS, such as LocalStack. Left out: Amazon's, in each topic's region.");
    static final Group SNS = Group.of(
            "sns", "Amazon SNS, which signs with certificates of its own instead of a secret.", TOPICS, ENDPOINT);

    /** The topics; empty if the section is missing or unusable. */
    static Optional<SnsSettings> read(SectionReader hooks) {
        if (!hooks.contains(SNS)) {
            return Optional.empty();
        }
        SectionReader sns = hooks.section(SNS);
        Optional<List<String>> topics = sns.given(TOPICS);
        if (topics.isPresent() && topics.get().isEmpty()) {
            sns.problem(TOPICS, "is empty", "name a topic, or remove the section");
        }
        return topics.filter(named -> !named.isEmpty())
                .map(named -> new SnsSettings(named, sns.given(ENDPOINT).orElse(null)));
    }
}
