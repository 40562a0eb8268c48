package dev.postern.app;

import dev.postern.channel.Channel.Probe;
import dev.postern.channel.vendor.ChannelFactory;
import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxUpdate;
import dev.postern.config.Settings;
import dev.postern.mail.RefreshToken;
import dev.postern.net.HttpConnections;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The channel that {@code mail setup} writes for answers to a mailbox's mails, in words for the operator. */
record AnswerChannel(Settings.Channel settings) {

    private static final String ID = "mail";

    static Optional<AnswerChannel> of(MailboxUpdate change) {
        return Optional.ofNullable(change.mailChannels().get(ID)).map(AnswerChannel::new);
    }

    /**
     * Logs in to the server and sends nothing.
     *
     * @param refreshToken the mailbox's refresh token, which may be exchanged meanwhile; null if it takes another login
     * @return why no answers can be sent; empty if they can
     */
    Optional<String> fault(MailboxSettings mailbox, @Nullable RefreshToken refreshToken) {
        ExecutorService executor = Executors.newCachedThreadPool();
        AtomicReference<@Nullable Probe> verdict = new AtomicReference<>();
        try (HttpConnections connections = new HttpConnections(executor)) {
            InstantSource clock = InstantSource.system();
            MailboxLogin login = MailboxLogin.of(mailbox, refreshToken, connections, clock);
            ChannelFactory.of(Map.of(ID, settings), login.ofChannels(), connections, null, clock, ID)
                    .probe((id, probe) -> verdict.set(probe));
        } finally {
            executor.shutdownNow();
        }
        return verdict.get() instanceof Probe.Bad bad
                ? Optional.of("answers can't be sent by " + account() + " at " + server() + ": " + bad.reason())
                : Optional.empty();
    }

    String account() {
        return option("account");
    }

    /** The address that answers are from. */
    String sender() {
        return option("from");
    }

    /** The server's name and port. */
    String server() {
        return option("host") + ":" + option("port") + " (" + option("security") + ")";
    }

    /** Those who may get answers, such as {@code ann@example.com and everyone at example.org}. */
    String recipients() {
        return allowed().stream()
                .map(allowed -> allowed.startsWith("@") ? "everyone at " + allowed.substring(1) : allowed)
                .collect(Collectors.joining(", "));
    }

    /** An address that may get an answer, other than the account's own. */
    Optional<String> someone() {
        return allowed().stream()
                .map(allowed -> allowed.startsWith("@") ? "a-sender" + allowed : allowed)
                .filter(address -> !address.equalsIgnoreCase(sender()))
                .findFirst();
    }

    private List<String> allowed() {
        return option("allow").lines().toList();
    }

    private String option(String name) {
        return settings.options().getOrDefault(name, "");
    }
}
