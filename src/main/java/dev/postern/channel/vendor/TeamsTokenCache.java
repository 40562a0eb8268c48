package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.net.OAuthTokenCache;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/**
 * A cache of a bot's access tokens, which Microsoft's login grants for the app's secret.
 *
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication">Bot
 *     Connector authentication</a>
 */
final class TeamsTokenCache {

    /** Error numbers of Microsoft's login: no such app, app not in this tenant, no such tenant. */
    private static final Set<String> OF_THE_APP = Set.of("700016", "900023", "90002");

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final VendorResponses login;
    private final OAuthTokenCache tokens;

    TeamsTokenCache(ChannelEntry entry, VendorHttpClient http) {
        this.entry = entry;
        this.http = http;
        this.login = new VendorResponses(
                "Microsoft's login", "client secret", entry.setting("appPassword"), entry.setting("loginUrl"));
        URI address = URI.create(entry.option("loginUrl") + "/" + VendorHttpClient.encoded(entry.option("tenantId"))
                + "/oauth2/v2.0/token");
        Map<String, String> form = Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                entry.option("appId"),
                "client_secret",
                entry.requiredSecret("appPassword"),
                "scope",
                "https://api.botframework.com/.default");
        this.tokens = new OAuthTokenCache(
                http.connections(), http.clock(), http.timeout(), () -> OAuthTokenCache.request(address, form)
                        .header("User-Agent", http.agent())
                        .build());
    }

    /** A token that is valid for a while. */
    AccessToken current() {
        return AccessToken.of(tokens.current(), http, login, this::judge);
    }

    /** A token that was just requested, because the service refused the last one. */
    AccessToken renew() {
        tokens.forget();
        return current();
    }

    private Outcome judge(Response response) {
        int status = response.status();
        String code = response.code(response.text("/error_codes/0") == null ? "/error" : "/error_codes/0");
        if (status == 400 || status == 401) {
            return OF_THE_APP.contains(code)
                    ? new Refused("Microsoft's login does not know the app (" + code + "): set "
                            + entry.setting("appId") + " and " + entry.setting("tenantId"))
                    : login.badCredential(code);
        }
        return status == 408 || status == 429 || status >= 500
                ? new Later(response.pause(), "Microsoft's login gives no access token now (" + code + ")")
                : new Refused(
                        "Microsoft's login gave no access token (" + code + "): check " + entry.setting("loginUrl"));
    }
}
