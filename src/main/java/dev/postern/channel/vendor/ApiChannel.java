package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.FileChannel;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessagePart;
import dev.postern.channel.text.MessageParts;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The common base of the channels over a service's HTTP API. Each states the form of its recipients, and sends only to one
 * that has it.
 */
abstract class ApiChannel implements Channel {

    final ChannelEntry entry;
    final VendorHttpClient http;
    final VendorResponses vendorResponses;
    final MarkupLanguage markup;
    private final RecipientForm form;

    /**
     * @param vendorResponses the interpreter of the service's responses
     * @param markup the markup of the service's messages
     * @param form the form of the service's recipients
     */
    ApiChannel(
            ChannelEntry entry,
            VendorHttpClient http,
            VendorResponses vendorResponses,
            MarkupLanguage markup,
            RecipientForm form) {
        this.entry = entry;
        this.http = http;
        this.vendorResponses = vendorResponses;
        this.markup = markup;
        this.form = form;
    }

    /**
     * A form of recipients.
     *
     * @param pattern the form, whose groups are a recipient's details
     * @param refusal the {@link Channel#refusal} of what has another form
     */
    record RecipientForm(Pattern pattern, String refusal) {

        RecipientForm(String pattern, String refusal) {
            this(Pattern.compile(pattern), refusal);
        }

        /** A matcher that has matched {@code to}; null if that has another form. */
        @Nullable
        Matcher match(@Nullable String to) {
            Matcher matcher = pattern.matcher(to == null ? "" : to);
            return matcher.matches() ? matcher : null;
        }
    }

    @Override
    public List<String> parts(String reply) {
        return MessageParts.of(reply, markup, entry.textLimit());
    }

    /** The texts and files of a reply, for a channel that is a {@link FileChannel}. */
    public final List<MessagePart> partsWithFiles(String reply) {
        return MessageParts.withFiles(reply, markup, entry.textLimit());
    }

    @Override
    public final @Nullable String refusal(@Nullable String to) {
        return recipient(to) == null ? form.refusal() : null;
    }

    @Override
    public final Outcome send(Message message) {
        return toRecipient(message, recipient -> send(message, recipient));
    }

    /** Sends one part, as {@link Channel#send}, to {@code recipient}, a match of the form. */
    abstract Outcome send(Message message, Matcher recipient);

    /** The outcome of {@code send} for the recipient of {@code message}; a refusal if {@link #refusal} has one. */
    final Outcome toRecipient(Message message, Function<Matcher, Outcome> send) {
        Matcher recipient = recipient(message.to());
        return recipient == null ? new Refused(form.refusal()) : send.apply(recipient);
    }

    private @Nullable Matcher recipient(@Nullable String to) {
        Matcher recipient = form.match(to);
        return recipient != null && isRecipient(recipient) ? recipient : null;
    }

    /** Whether what has the form is a recipient, where the pattern alone can't say it. */
    boolean isRecipient(Matcher recipient) {
        return true;
    }
}
