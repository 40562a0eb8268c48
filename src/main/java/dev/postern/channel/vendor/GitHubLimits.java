package dev.postern.channel.vendor;

import dev.postern.channel.vendor.HttpResult.Response;
import java.time.InstantSource;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The rule by which a response of GitHub says that a rate limit is reached: the primary one, or a secondary one, which the
 * message or the documentation's address alone may tell.
 *
 * @see <a href="https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api">Rate limits</a>
 */
final class GitHubLimits {

    /** The pause after a secondary rate limit without another one: GitHub asks for a minute at least. */
    private static final double SECONDARY_SECONDS = 60;

    /** The end of the documentation's address in a response of a secondary rate limit. */
    private static final Pattern SECONDARY = Pattern.compile("(secondary-rate-limits|#abuse-rate-limits)$");

    private GitHubLimits() {}

    /** Whether a limit is the reason for {@code response}. */
    static boolean isReached(Response response) {
        return response.status() == 429
                || (response.status() == 403
                        && (response.pause() != null
                                || isSpent(response)
                                || says(response, "rate limit")
                                || says(response, "abuse detection")
                                || SECONDARY
                                        .matcher(response.body()
                                                .path("documentation_url")
                                                .asText(""))
                                        .find()));
    }

    /** The response with the pause until the limit ends, if it is one of a limit and names no pause itself. */
    static Response pausing(Response response, InstantSource clock) {
        return isReached(response) && response.pause() == null
                ? response.pausing(OptionalDouble.of(seconds(response, clock)))
                : response;
    }

    /** The seconds until the limit ends. */
    static double seconds(Response response, InstantSource clock) {
        OptionalDouble reset = isSpent(response) ? response.until("x-ratelimit-reset", clock) : OptionalDouble.empty();
        return reset.orElse(SECONDARY_SECONDS);
    }

    private static boolean says(Response response, String words) {
        return response.body()
                .path("message")
                .asText("")
                .toLowerCase(Locale.ROOT)
                .contains(words);
    }

    private static boolean isSpent(Response response) {
        return response.headers()
                .firstValue("x-ratelimit-remaining")
                .filter("0"::equals)
                .isPresent();
    }
}
