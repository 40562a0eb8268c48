package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.vendor.HttpResult.Response;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * A channel to Signal over the operator's signal-cli-rest-api, which needs no credentials. Every failure is a 400 whose
 * text alone tells permanent errors from temporary ones; after an unknown text the message may have been sent. Each request
 * has one recipient, because with several the failure of one would turn all of them into one 400.
 *
 * @see <a href="https://github.com/bbernhard/signal-cli-rest-api">signal-cli-rest-api</a>, client.go and api.go
 */
final class SignalChannel extends ApiChannel {

    /** Long enough for the mode in which the server starts a Java program for each request. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** A person's number, UUID or username, or what looks like a group's id. */
    private static final RecipientForm RECIPIENT = new RecipientForm(
            "\\+[1-9][0-9]{6,14}"
                    + "|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
                    + "|[A-Za-z_][A-Za-z0-9_]{2,31}\\.[0-9]{2,10}"
                    + "|group\\.(?<group>.*)",
            "to is no recipient on Signal: write a number such as +4915112345678, a username such as ada.42,"
                    + " an account's UUID, or a group's id as the server lists it, which begins with group.");

    private static final int GROUP_BYTES = 32;

    private static final Pattern OF_THE_ACCOUNT =
            Pattern.compile("(?s)User .{1,99} is not registered.*|Specified account does not exist.*"
                    + "|Couldn't process request - please provide a valid number");
    private static final Pattern OF_A_LIMIT = Pattern.compile("(?si).*(rate limit|RateLimitException).*");
    private static final List<Lasting> LASTING = List.of(
            new Lasting(
                    ".*untrusted (recipient keys|identit).*",
                    "the recipient's safety number has changed and has to be trusted at the server"),
            new Lasting("Unregistered user.*", "the recipient is not registered with Signal"),
            new Lasting("Cannot send message to group - please first update your profile.*", "give the account a name"),
            new Lasting(
                    "Couldn't process request.*|Invalid .*|.*cannot be specified together.*",
                    "the server's log says why"));

    /** A permanent error, recognised by its text, and the advice for it. */
    private record Lasting(Pattern text, String advice) {

        Lasting(String text, String advice) {
            this(Pattern.compile(text, Pattern.DOTALL), advice);
        }
    }

    SignalChannel(ChannelEntry entry, VendorHttpClient http) {
        super(
                entry,
                http,
                entry.service("signal-cli-rest-api", "account", "account"),
                MarkupLanguage.SIGNAL,
                RECIPIENT);
    }

    /** Whether what looks like a group's id is one, which is encoded twice, by signal-cli and by the server. */
    @Override
    boolean isRecipient(Matcher recipient) {
        String group = recipient.group("group");
        if (group == null) {
            return true;
        }
        try {
            byte[] once = Base64.getDecoder().decode(group);
            return Base64.getDecoder().decode(once).length == GROUP_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    @Override
    Outcome send(Message message, Matcher recipient) {
        var body = VendorHttpClient.object()
                .put("number", entry.option("account"))
                .put("message", message.text())
                .put("text_mode", "styled");
        body.putArray("recipients").add(recipient.group());
        return vendorResponses.outcome(http.post(entry.at("/v2/send"), Map.of(), body), this::judge);
    }

    @Override
    public Probe probe() {
        String account = entry.option("account");
        return vendorResponses.probe(http.get(entry.at("/v1/accounts"), Map.of()), response -> {
            JsonNode accounts = response.body();
            if (!response.isGood() || !accounts.isArray()) {
                return vendorResponses.bad(judge(response));
            }
            return StreamSupport.stream(accounts.spliterator(), false)
                            .anyMatch(each -> each.asText().equals(account))
                    ? new Probe.Good(account)
                    : new Probe.Bad(unregistered());
        });
    }

    private Outcome judge(Response response) {
        String code = "status " + response.status();
        if (response.isGood()) {
            // Since July 2026 the response is an array, with one element for all persons or for each group.
            String id = response.id(response.body().isArray() ? "/0/timestamp" : "/timestamp");
            return id == null ? vendorResponses.unclear(code) : new Sent(id);
        }
        return switch (response.status()) {
            case 400 -> judge(response, Objects.requireNonNullElse(response.text("/error"), ""));
            case 401, 403 ->
                vendorResponses.refused(
                        code,
                        "something in front of the server asks for credentials, and none can be set;"
                                + " let it take requests from here");
            case 429 ->
                new Later(
                        response.pause(),
                        "Signal takes no more messages for now (status 429): where that lasts, solve the captcha that"
                                + " the server's rate-limit-challenge asks for");
            default -> vendorResponses.byStatus(response, code);
        };
    }

    /** The outcome of a 400 with the error {@code text}. */
    private Outcome judge(Response response, String text) {
        String code = "status 400";
        if (OF_THE_ACCOUNT.matcher(text).matches()) {
            return new Refused(unregistered());
        }
        if (OF_A_LIMIT.matcher(text).matches()) {
            return vendorResponses.limited(response, code);
        }
        return LASTING.stream()
                .filter(fault -> fault.text().matcher(text).matches())
                .findFirst()
                .<Outcome>map(fault -> vendorResponses.refused(code, fault.advice()))
                .orElseGet(
                        () -> new Unsure(
                                "signal-cli-rest-api failed (status 400) and its log says why; the message may have been sent"));
    }

    private String unregistered() {
        return entry.setting("account") + " is not registered at signal-cli-rest-api: register or link it there, or set"
                + " another";
    }
}
