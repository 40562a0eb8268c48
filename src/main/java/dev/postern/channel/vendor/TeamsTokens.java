package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.vendor.Exchange.Answer;
import dev.postern.channel.vendor.Exchange.Lost;
import dev.postern.channel.vendor.Exchange.Unsent;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The access tokens of a bot, asked for with its secret and used until shortly before their end.
 *
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication">Bot
 *     Connector authentication</a>
 */
final class TeamsTokens {

    /** An access token, or why there is none: exactly one of these. */
    sealed interface Token {

        /** Shows nothing of the token. */
        record Granted(String value) implements Token {
            @Override
            public String toString() {
                return "Granted[…]";
            }
        }

        /** What that means for a message, of which nothing was sent. */
        record Denied(Outcome outcome) implements Token {}
    }

    private record Kept(Token.Granted token, Instant until) {}

    /** A token is given up so long before its end, or after nine tenths of its time. */
    private static final long MOST_EARLY_SECONDS = 300;

    private static final long LONGEST_SECONDS = 86_400;

    /** Error numbers of Microsoft's login: no such app, or not in this tenant; no such tenant. */
    private static final Set<String> OF_THE_APP = Set.of("700016", "900023", "90002");

    private final Entry entry;
    private final VendorHttp http;
    private final Service login;
    private final Map<String, String> form;
    private volatile @Nullable Kept kept;

    TeamsTokens(Entry entry, VendorHttp http) {
        this.entry = entry;
        this.http = http;
        this.login = new Service(
                "Microsoft's login", "client secret", entry.setting("appPassword"), entry.setting("loginUrl"));
        this.form = Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                entry.option("appId"),
                "client_secret",
                entry.needed("appPassword"),
                "scope",
                "https://api.botframework.com/.default");
    }

    /** A token that can be used for a while. */
    Token current() {
        Kept usable = kept;
        return usable != null && usable.until().isAfter(http.clock().instant()) ? usable.token() : asked();
    }

    /** One that was asked for just now, since the service refused the last. */
    Token anew() {
        kept = null;
        return asked();
    }

    private Token asked() {
        String address =
                entry.option("loginUrl") + "/" + VendorHttp.encoded(entry.option("tenantId")) + "/oauth2/v2.0/token";
        Exchange exchange = http.postForm(address, Map.of(), form);
        if (exchange instanceof Answer answer && answer.isGood()) {
            String value = answer.text("/access_token");
            if (value != null) {
                return keep(
                        new Token.Granted(value),
                        answer.body().path("expires_in").asLong(0));
            }
        }
        // Where this question is lost, the message has still not been sent.
        Exchange unanswered = exchange instanceof Lost lost ? new Unsent(lost.fault()) : exchange;
        return new Token.Denied(login.outcome(unanswered, this::judge));
    }

    private Token keep(Token.Granted token, long seconds) {
        long lasting = Math.max(0, Math.min(seconds, LONGEST_SECONDS));
        long early = Math.min(MOST_EARLY_SECONDS, lasting / 10);
        kept = new Kept(token, http.clock().instant().plusSeconds(lasting - early));
        return token;
    }

    private Outcome judge(Answer answer) {
        int status = answer.status();
        String code = answer.code(answer.text("/error_codes/0") == null ? "/error" : "/error_codes/0");
        if (status == 400 || status == 401) {
            return OF_THE_APP.contains(code)
                    ? new Refused("Microsoft's login does not know the app (" + code + "): set "
                            + entry.setting("appId") + " and " + entry.setting("tenantId"))
                    : login.badCredential(code);
        }
        return status == 408 || status == 429 || status >= 500
                ? new Later(answer.pause(), "Microsoft's login gives no access token now (" + code + ")")
                : new Refused(
                        "Microsoft's login gave no access token (" + code + "): check " + entry.setting("loginUrl"));
    }
}
