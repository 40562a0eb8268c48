package dev.postern.channel.vendor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.channel.Channel;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.text.MarkupLanguage;
import dev.postern.channel.text.MessageParts;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.model.RunState;
import dev.postern.model.TraceContext;
import dev.postern.observe.TraceHeaders;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A channel that posts each part of a reply as JSON to a server of the operator, signed as Standard Webhooks specifies. Any
 * {@code to} is accepted and included in the JSON. The JSON is the same, byte for byte, in each attempt: its
 * {@code timestamp} is that of the delivery. Only the headers {@code webhook-timestamp}, so the signature, and
 * {@code traceparent} differ between attempts. The last one is sent if the delivery is part of a trace, and is not signed.
 *
 * <p>Unless {@code allowPrivateAddresses} is true, nothing is posted to a host with any address that
 * {@link PrivateAddressRule} recognises. All addresses of the host are looked up and checked right before each post; then
 * the HTTP client looks the host up again. Java caches a host's addresses for 30 s, so both lookups see the same ones. If
 * {@code networkaddress.cache.ttl} is 0, or the cache entry expires just in between, a host whose addresses change quickly
 * can get around this check. A proxy that Java is configured to use looks the host up by itself.
 *
 * @see <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">the
 *     specification</a>
 */
final class WebhookChannel implements Channel {

    private static final String SECRET_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    /** A resolver of all addresses of a host. */
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final ChannelEntry entry;
    private final VendorHttpClient http;
    private final Resolver resolver;
    private final VendorResponses vendorResponses;
    private final SecretKeySpec key;

    WebhookChannel(ChannelEntry entry, VendorHttpClient http) {
        this(entry, http, InetAddress::getAllByName);
    }

    WebhookChannel(ChannelEntry entry, VendorHttpClient http, Resolver resolver) {
        this.entry = entry;
        this.http = http;
        this.resolver = resolver;
        this.vendorResponses =
                new VendorResponses("the receiver", "signature", entry.setting("secret"), entry.setting("url"));
        this.key = key(entry.requiredSecret("secret"));
    }

    /** Decodes the key: base64, perhaps after {@code whsec_} (see "Signature scheme" in the specification). */
    private static SecretKeySpec key(String secret) {
        String text = secret.startsWith(SECRET_PREFIX) ? secret.substring(SECRET_PREFIX.length()) : secret;
        return new SecretKeySpec(Base64.getDecoder().decode(text), ALGORITHM);
    }

    @Override
    public List<String> parts(String reply) {
        return MessageParts.of(reply, MarkupLanguage.RAW, entry.textLimit());
    }

    @Override
    public @Nullable String refusal(@Nullable String to) {
        return null;
    }

    @Override
    public boolean tellsFailures() {
        return true;
    }

    /** Its receiver does, by the header {@code webhook-id} (see "Idempotency" in the specification). */
    @Override
    public boolean recognisesRepeats() {
        return true;
    }

    @Override
    public Set<String> events() {
        return Set.of(entry.settings().options().getOrDefault("events", "").split("\n", -1));
    }

    @Override
    public Outcome send(Message message) {
        Outcome unreachable = unreachable();
        if (unreachable != null) {
            return unreachable;
        }
        byte[] body = body(message).toString().getBytes(StandardCharsets.UTF_8);
        String second = String.valueOf(http.clock().instant().getEpochSecond());
        Map<String, String> headers = new HashMap<>();
        headers.put("webhook-id", message.id());
        headers.put("webhook-timestamp", second);
        headers.put("webhook-signature", "v1," + signature(message.id() + "." + second + ".", body));
        @Nullable String trace = TraceHeaders.outgoing();
        if (trace != null) {
            headers.put(TraceContext.TRACEPARENT, trace);
        }
        return vendorResponses.outcome(http.post(entry.requiredSecret("url"), headers, body), this::judge);
    }

    @Override
    public Probe probe() {
        return new Probe.Unasked("a webhook can't be asked without posting something to it");
    }

    /** The outcome if nothing can be posted to the host's addresses; null if it can. */
    private @Nullable Outcome unreachable() {
        if (Boolean.parseBoolean(entry.option("allowPrivateAddresses"))) {
            return null;
        }
        try {
            InetAddress[] addresses =
                    resolver.addresses(URI.create(entry.requiredSecret("url")).getHost());
            return Arrays.stream(addresses).anyMatch(PrivateAddressRule::isPrivate)
                    ? new Refused(entry.setting("url") + " leads to a private address: set "
                            + entry.setting("allowPrivateAddresses") + " to true where that is meant")
                    : null;
        } catch (UnknownHostException e) {
            return new Later(null, vendorResponses.sentence(HttpResult.Failure.UNKNOWN_HOST));
        }
    }

    private static ObjectNode body(Message message) {
        ObjectNode body = VendorHttpClient.object()
                .put("type", type(message))
                .put(
                        "timestamp",
                        message.createdAt().truncatedTo(ChronoUnit.MILLIS).toString());
        if (message.event() != null) {
            body.set("data", VendorHttpClient.json(message.text().getBytes(StandardCharsets.UTF_8)));
            return body;
        }
        body.putObject("data")
                .put("deliveryId", message.deliveryId())
                .put("runId", message.turnId())
                .put("status", message.outcome().wire())
                .put("agentId", message.agentId())
                .put("to", message.to())
                .put("part", message.number())
                .put("parts", message.of())
                .put("text", message.text());
        return body;
    }

    private static String type(Message message) {
        if (message.event() != null) {
            return message.event();
        }
        if (message.agentId() == null) {
            return "delivery.created";
        }
        return message.outcome() == RunState.SUCCEEDED ? "reply.created" : "run.failed";
    }

    private String signature(String lead, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(lead.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    private Outcome judge(Response response) {
        return response.isGood() ? new Sent(null) : vendorResponses.byStatus(response, "status " + response.status());
    }
}
