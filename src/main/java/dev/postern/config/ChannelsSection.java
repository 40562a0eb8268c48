package dev.postern.config;

import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.Recipient;
import dev.postern.model.Secret;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The section {@code channels}: the channels that replies can go to. */
final class ChannelsSection {

    private ChannelsSection() {}

    private static final Set<String> RESERVED =
            Set.of(Recipient.LAST, Recipient.INBOX, AgentSettings.Heartbeat.NO_TARGET);

    /** This machine, and the networks that nobody reaches from outside (RFC 1918, RFC 3927, RFC 4193, RFC 4291). */
    private static final Pattern PRIVATE_HOST = Pattern.compile(
            "localhost|127(\\.\\d+){3}|10(\\.\\d+){3}|192\\.168(\\.\\d+){2}|172\\.(1[6-9]|2\\d|3[01])(\\.\\d+){2}"
                    + "|169\\.254(\\.\\d+){2}|\\[(::1|f[cd].*|fe[89ab].*)]",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern PEM_KEY = Pattern.compile("-----BEGIN (RSA )?PRIVATE KEY-----");

    static Map<String, Settings.Channel> read(SectionReader root) {
        Map<String, Settings.Channel> channels = new LinkedHashMap<>();
        root.entries(ChannelFields.CHANNELS).forEach((id, entry) -> {
            if (RESERVED.contains(id)) {
                entry.problem(
                        ChannelFields.KIND,
                        "has the id [" + id + "], which has a meaning of its own",
                        "choose another id");
            }
            Settings.Channel channel = channel(id, entry);
            switch (ChannelKind.of(channel)) {
                case MSTEAMS -> checkAlternatives(entry, ChannelFields.WEBHOOK_URL, ChannelFields.TEAMS_BOT, "bot");
                case GITHUB -> {
                    checkAlternatives(entry, ChannelFields.GITHUB_TOKEN, ChannelFields.GITHUB_APP, "app");
                    checkKey(entry, channel);
                }
                case MAIL -> channel = MailChannelRules.complete(entry, channel);
                case WEBHOOK -> {
                    checkSigning(entry, channel);
                    warnIfPrivate(entry, channel);
                }
                default -> {}
            }
            channels.put(id, channel);
        });
        return channels;
    }

    /** Checks that {@code single} is set, or else all settings of {@code group}, which the operator knows as {@code name}. */
    private static void checkAlternatives(SectionReader entry, Setting<?> single, List<Setting<?>> group, String name) {
        List<Setting<?>> missing =
                group.stream().filter(setting -> !entry.contains(setting)).toList();
        if (missing.size() == group.size() && !entry.contains(single)) {
            List<String> names = group.stream().map(Setting::name).toList();
            entry.problem(
                    single,
                    "is missing, and so is the " + name,
                    "write " + single.name() + ", or " + String.join(", ", names.subList(0, names.size() - 1)) + " and "
                            + names.get(names.size() - 1));
        } else if (missing.size() < group.size()) {
            missing.forEach(setting -> entry.problem(
                    setting, "is missing", "write " + setting.type().expected()));
        }
    }

    private static void checkKey(SectionReader entry, Settings.Channel channel) {
        Secret key = channel.secrets().get(ChannelFields.GITHUB_KEY.name());
        if (key != null && !PEM_KEY.matcher(key.reveal()).find()) {
            entry.problem(
                    ChannelFields.GITHUB_KEY,
                    "is no private key in PEM",
                    "write ${file:path} with the path of the app's .pem file");
        }
    }

    private static void checkSigning(SectionReader entry, Settings.Channel channel) {
        List<Secret> secrets = Stream.ofNullable(channel.secrets().get(ChannelFields.SIGNING_SECRET.name()))
                .toList();
        VerifySection.error(Scheme.STANDARD_WEBHOOKS, secrets)
                .ifPresent(invalid -> entry.problem(ChannelFields.SIGNING_SECRET, invalid.wrong(), invalid.instead()));
        VerifySection.warnIfShort(entry, ChannelFields.SIGNING_SECRET, secrets);
    }

    /** Warns of the plainest of the addresses that nothing is sent to; the channel knows all of them when it sends. */
    private static void warnIfPrivate(SectionReader entry, Settings.Channel channel) {
        Secret address = channel.secrets().get(ChannelFields.WEBHOOK_ADDRESS.name());
        String host = address == null
                ? ""
                : Objects.requireNonNullElse(URI.create(address.reveal()).getHost(), "");
        boolean allowed = Boolean.parseBoolean(channel.options().get(ChannelFields.ALLOW_PRIVATE.name()));
        if (!allowed && PRIVATE_HOST.matcher(host).matches()) {
            entry.warn(
                    ChannelFields.WEBHOOK_ADDRESS,
                    "leads to " + host + ", a private address, to which nothing is sent: write allowPrivateAddresses:"
                            + " true, or a public address");
        }
    }

    private static Settings.Channel channel(String id, SectionReader entry) {
        Map<String, String> options = new LinkedHashMap<>();
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (Setting<?> setting : entry.group().settings()) {
            entry.find(setting).ifPresent(value -> {
                if (value instanceof Secret secret) {
                    secrets.put(setting.name(), secret);
                } else if (!setting.name().equals(DeclaredSettings.KIND)) {
                    options.put(setting.name(), text(value));
                }
            });
        }
        return new Settings.Channel(id, entry.group().name(), options, secrets, List.of());
    }

    /** The text of an option; that of a list has one entry a line. */
    private static String text(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining("\n"))
                : value.toString();
    }
}
