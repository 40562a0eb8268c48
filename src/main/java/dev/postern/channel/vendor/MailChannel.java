package dev.postern.channel.vendor;

import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.model.Secret;
import dev.postern.net.AccessTokenSource;
import dev.postern.net.OAuthTokenCache;
import dev.postern.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A channel that sends mails over SMTP, to addresses that the operator allows. A recipient with the ids of a thread gets an
 * answer in it. Servers don't recognise repeats, but a repeat has the same {@code Message-ID}, by which mailboxes may.
 */
final class MailChannel implements Channel {

    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The time that a server may take to store a mail (RFC 5321, section 4.5.3.2.6). An earlier end makes duplicates. */
    static final Duration LAST_REPLY = Duration.ofMinutes(10);

    private static final String NO_RECIPIENT =
            "to is no mail address: write one such as ann@example.com; a thread's ids in angle brackets and a subject may"
                    + " follow, as in ann@example.com/<id1@example.com><id2@example.com>/Subject";

    private final ChannelEntry entry;
    private final MailLogin login;
    private final SmtpServer server;
    private final List<String> allow;
    private final MailRateLimit rateLimit;
    private final VendorResponses responses;

    /**
     * @param mailboxLogin the login for an entry without a password; null if there is none
     * @param rateLimit counts the replies to each address
     * @param timeout the longest time until the end of a mail is sent
     * @param lastReply the longest time from then on
     */
    MailChannel(
            ChannelEntry entry,
            @Nullable MailLogin mailboxLogin,
            MailRateLimit rateLimit,
            Duration timeout,
            Duration lastReply) {
        this.entry = entry;
        @Nullable String password = entry.secret("password");
        this.login = password == null && mailboxLogin != null
                ? mailboxLogin
                : new MailLogin.Password(new Secret(password == null ? "" : password));
        this.server = new SmtpServer(
                entry.option("host"),
                Integer.parseInt(entry.option("port")),
                entry.option("security"),
                entry.settings().authorities(),
                entry.option("account"),
                timeout,
                lastReply);
        this.allow = entry.option("allow").lines().toList();
        this.rateLimit = rateLimit;
        String setting = password == null ? "hooks.gmail" : entry.setting("password");
        this.responses = new VendorResponses("the mail server", "login", setting, entry.setting("host"));
    }

    @Override
    public List<String> parts(String reply) {
        return MessageParts.of(reply, MarkupLanguage.RAW, entry.textLimit());
    }

    @Override
    public @Nullable String refusal(@Nullable String to) {
        MailRecipient recipient = MailRecipient.of(to);
        if (recipient == null) {
            return NO_RECIPIENT;
        }
        return recipient.isAmong(allow) ? null : "to is an address that " + entry.setting("allow") + " doesn't have";
    }

    @Override
    public Outcome send(Message message) {
        MailRecipient recipient = MailRecipient.of(message.to());
        if (recipient == null) {
            return new Refused(NO_RECIPIENT);
        }
        if (!recipient.isAmong(allow)) {
            return new Refused("the address is not among " + entry.setting("allow") + ": nothing was sent");
        }
        try {
            if (!rateLimit.take(recipient.address(), message.deliveryId())) {
                return new Refused("the address got as many replies within an hour as "
                        + entry.setting("maxPerRecipient") + " allows: this may be a loop");
            }
        } catch (StoreException e) {
            return new Later(null, "the database can't be asked how many replies the address got");
        }
        OutgoingMail mail = new OutgoingMail(entry.option("from"), recipient, message);
        return exchange(mail, result -> outcome(result, mail.id()));
    }

    @Override
    public Probe probe() {
        if (login instanceof MailLogin.Tokens tokens) {
            tokens.tokens().forget();
        }
        Outcome outcome = exchange(null, result -> outcome(result, ""));
        return outcome instanceof Sent ? new Probe.Good(entry.option("account")) : responses.bad(outcome);
    }

    /** Logs in and sends {@code mail}, with a new token if the server refuses one that was kept. */
    private Outcome exchange(@Nullable OutgoingMail mail, Function<SmtpResult, Outcome> judge) {
        if (login instanceof MailLogin.Password password) {
            return judge.apply(server.exchange(password.password(), false, mail));
        }
        AccessTokenSource tokens = ((MailLogin.Tokens) login).tokens();
        boolean kept = tokens.isFresh();
        OAuthTokenCache.Result token = tokens.current();
        if (!(token instanceof OAuthTokenCache.Result.Granted granted)) {
            return denied(token);
        }
        SmtpResult result = server.exchange(granted.token(), true, mail);
        if (result instanceof SmtpResult.LoginRejected) {
            tokens.forget();
            if (kept) {
                return exchange(mail, judge);
            }
        }
        return judge.apply(result);
    }

    private Outcome denied(OAuthTokenCache.Result result) {
        boolean refused = result instanceof OAuthTokenCache.Result.Denied denied && !denied.isOutage();
        return refused
                ? new Refused("the token service grants no access token: check hooks.gmail.oauth")
                : new Later(null, "the token service of hooks.gmail.oauth does not answer as it should");
    }

    private Outcome outcome(SmtpResult result, String id) {
        if (result instanceof SmtpResult.Rejected rejected) {
            return rejected.isTemporary()
                    ? new Later(null, responses.name() + " can't take the message now (" + rejected.code() + ")")
                    : responses.refused(rejected.code());
        }
        boolean token = login instanceof MailLogin.Tokens;
        if (result instanceof SmtpResult.LoginRejected rejected) {
            return token
                    ? new Refused(
                            responses.name() + " refused the access token (" + rejected.code() + "): check the scope"
                                    + " and the account of hooks.gmail.oauth, and whether its grant was revoked")
                    : responses.badCredential(rejected.code());
        }
        if (result instanceof SmtpResult.LoginNotOffered) {
            return new Refused(responses.name() + " offers no login by " + (token ? "access token" : "password")
                    + " here: check " + entry.setting("port") + " and " + entry.setting("security"));
        }
        if (result instanceof SmtpResult.Unsent unsent) {
            return new Later(null, responses.sentence(unsent.fault()));
        }
        return result instanceof SmtpResult.Lost lost
                ? new Unsure(responses.sentence(lost.fault()) + "; the message may have been sent")
                : new Sent(id);
    }
}
