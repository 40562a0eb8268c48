package dev.postern.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A sender that signs its deliveries: one for each scheme of {@code verify}, and for each preset whose sender signs.
 */
enum SigningSender {
    STANDARD_WEBHOOKS("standard", "verify: {scheme: standard-webhooks, secret: SECRET}", Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return labelled("webhook", id, at, body);
        }
    },
    SVIX("svix", "verify: {scheme: standard-webhooks, secret: SECRET}", Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return labelled("svix", id, at, body);
        }
    },
    GITHUB("code", "idempotencyKey: '{{headers.x-delivery}}', verify: {scheme: github, secret: SECRET}", Time.NONE) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Hub-Signature-256", "sha256=" + hex(body));
        }
    },
    STRIPE("shop", "idempotencyKey: '{{payload.id}}', verify: {scheme: stripe, secret: SECRET}", Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return stripe(at, body);
        }
    },
    SLACK("chat", "idempotencyKey: '{{payload.id}}', verify: {scheme: slack, secret: SECRET}", Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return slack(at, body);
        }
    },
    GITLAB_SECRET(
            "lab", "idempotencyKey: '{{headers.x-delivery}}', verify: {scheme: gitlab, secret: SECRET}", Time.NONE) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Gitlab-Token", SECRET);
        }
    },
    GITLAB_SIGNED(
            "lab-signed",
            "idempotencyKey: '{{headers.x-delivery}}', verify: {scheme: gitlab, secret: SECRET}",
            Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return labelled("webhook", id, at, body);
        }
    },
    TWILIO(
            "sms",
            "idempotencyKey: '{{headers.x-delivery}}',"
                    + " verify: {scheme: twilio, secret: SECRET, url: 'https://example.com/hooks/sms'}",
            Time.NONE) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            String hash = HexFormat.of().formatHex(sha256(body));
            byte[] signed = ("https://example.com/hooks/sms?bodySHA256=" + hash).getBytes(UTF_8);
            return Map.of(
                    "X-Twilio-Signature",
                    Base64.getEncoder().encodeToString(hmac("HmacSHA1", SECRET.getBytes(UTF_8), signed)));
        }
    },
    HMAC(
            "own",
            "idempotencyKey: '{{headers.x-delivery}}', verify: {scheme: hmac, secret: SECRET, header: x-own}",
            Time.NONE) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Own", hex(body));
        }
    },
    HMAC_WITH_A_TIME(
            "own-timed",
            "idempotencyKey: '{{headers.x-delivery}}',"
                    + " verify: {scheme: hmac, secret: SECRET, header: x-own, timestampHeader: x-time}",
            Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Own", hex(at.getEpochSecond() + "." + body), "X-Time", "" + at.getEpochSecond());
        }
    },
    HMAC_WITH_A_TIME_IN_THE_BODY(
            "own-body",
            "idempotencyKey: '{{headers.x-delivery}}',"
                    + " verify: {scheme: hmac, secret: SECRET, header: x-own, timestampField: sent.at}",
            Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Own", hex(body));
        }
    },
    GITHUB_PRESET("github", Time.NONE, "X-GitHub-Delivery", "X-GitHub-Event: issues") {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Hub-Signature-256", "sha256=" + hex(body));
        }
    },
    GITLAB_PRESET("gitlab", Time.NONE, "Idempotency-Key", "X-Gitlab-Event: Push Hook") {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Gitlab-Token", SECRET);
        }
    },
    STRIPE_PRESET("stripe", Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return stripe(at, body);
        }
    },
    SLACK_PRESET("slack", Time.SIGNED) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return slack(at, body);
        }
    },
    SENTRY_PRESET("sentry", Time.NONE, "Request-ID", "Sentry-Hook-Resource: issue") {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("Sentry-Hook-Signature", hex(body));
        }
    },
    PAGERDUTY_PRESET("pagerduty", Time.NONE, "X-Webhook-Id", "X-Webhook-Subscription: P1") {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-PagerDuty-Signature", "v1=" + hex(body));
        }
    },
    JIRA_PRESET("jira", Time.NONE, "X-Atlassian-Webhook-Identifier", "X-Atlassian-Webhook-Flow: Primary") {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Hub-Signature", "sha256=" + hex(body));
        }
    },
    LINEAR_PRESET("linear", Time.SIGNED, "Linear-Delivery", "Linear-Event: Issue") {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("Linear-Signature", hex(body));
        }
    },
    /** Grafana names its deliveries by nothing. */
    GRAFANA_PRESET("grafana", Time.NONE) {
        @Override
        Map<String, String> signature(String id, Instant at, String body) {
            return Map.of("X-Grafana-Alerting-Signature", hex(body));
        }
    };

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** A rule for the signing of a delivery's time. */
    private enum Time {
        SIGNED,
        NONE
    }

    private final String path;
    private final String mapping;
    private final Time time;
    private final String idHeader;
    private final String otherHeader;

    SigningSender(String path, String mapping, Time time) {
        this.path = path;
        this.mapping = mapping;
        this.time = time;
        this.idHeader = mapping.contains("x-delivery") ? "X-Delivery" : "";
        this.otherHeader = "";
    }

    /** The sender of a preset that sends no header but its signature's. */
    SigningSender(String preset, Time time) {
        this(preset, time, "", "");
    }

    /**
     * The sender of a preset.
     *
     * @param idHeader the header with the delivery's id, which isn't signed; perhaps empty
     * @param otherHeader another one that isn't, with its value after a colon; perhaps empty
     */
    SigningSender(String preset, Time time, String idHeader, String otherHeader) {
        this.path = preset;
        this.mapping = "";
        this.time = time;
        this.idHeader = idHeader;
        this.otherHeader = otherHeader;
    }

    /** What belongs below {@code hooks:} for all of them to be known; {@link #prepare} has written the secret. */
    static List<String> settings() {
        List<String> presets = Arrays.stream(values())
                .filter(sender -> sender.mapping.isEmpty())
                .map(sender -> sender.path)
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add("presets: [" + String.join(", ", presets) + "]");
        lines.add(presets.stream()
                .map(preset -> preset + ": '${file:secrets/signing}'")
                .collect(Collectors.joining(", ", "signingSecrets: {", "}")));
        lines.add("mappings:");
        for (SigningSender sender : values()) {
            if (!sender.mapping.isEmpty()) {
                lines.add("  - {match: {path: " + sender.path + "}, messageTemplate: x, "
                        + sender.mapping.replace("SECRET", "'${file:secrets/signing}'") + "}");
            }
        }
        return lines;
    }

    static void prepare(DeploymentHome home) {
        home.write("secrets/signing", SECRET);
    }

    boolean signsTheTime() {
        return time == Time.SIGNED;
    }

    boolean namesItsDeliveries() {
        return this != GRAFANA_PRESET;
    }

    /** The headers that only the sender can make for this body, at this time. */
    abstract Map<String, String> signature(String id, Instant at, String body);

    /**
     * What is sent of one event.
     *
     * @param attempt counted in the body, as some senders do, so that no two attempts have the same
     */
    Delivery delivery(String id, Instant at, int attempt) {
        String body =
                """
                {"id": "ID", "event_id": "ID", "type": "event_callback", "attempt": ATTEMPT, "sent": {"at": SECONDS},
                 "webhookTimestamp": MILLIS, "action": "create", "data": {"id": "ID"},
                 "event": {"id": "ID", "type": "app_mention", "event_type": "incident.triggered", "text": "hello"}}"""
                        .replace("ID", id)
                        .replace("ATTEMPT", "" + attempt)
                        .replace("SECONDS", "" + at.getEpochSecond())
                        .replace("MILLIS", "" + at.toEpochMilli());
        Map<String, String> unsigned = new LinkedHashMap<>();
        if (!idHeader.isEmpty()) {
            unsigned.put(idHeader, id);
        }
        if (!otherHeader.isEmpty()) {
            String[] parts = otherHeader.split(": ", 2);
            unsigned.put(parts[0], parts[1]);
        }
        return new Delivery("hooks/" + path, body, signature(id, at, body), unsigned);
    }

    /**
     * A request as it comes over the wire.
     *
     * @param signature the headers that belong to its signature
     * @param unsigned the others, which an attacker on the way can change
     */
    record Delivery(String path, String body, Map<String, String> signature, Map<String, String> unsigned) {

        Delivery without() {
            return new Delivery(path, body, signature, Map.of());
        }

        Delivery with(String header, String value) {
            Map<String, String> changed = new LinkedHashMap<>(unsigned);
            changed.put(header, value);
            return new Delivery(path, body, signature, changed);
        }

        /** Nothing of the signature changed, and all that isn't signed. */
        List<Delivery> withUnsignedPartsChanged() {
            List<Delivery> others = new ArrayList<>();
            others.add(without());
            others.add(with("Idempotency-Key", "another"));
            others.add(without().with("Idempotency-Key", "yet another"));
            unsigned.keySet().forEach(header -> others.add(with(header, "other")));
            if (!signature.containsKey("webhook-id")) {
                others.add(with("webhook-id", "other"));
            }
            return others;
        }
    }

    /** The keyed hash of {@code text}. */
    static byte[] hmac(byte[] key, String text) {
        return hmac(key, text.getBytes(UTF_8));
    }

    /** The keyed hash of {@code content}. */
    static byte[] hmac(byte[] key, byte[] content) {
        return hmac("HmacSHA256", key, content);
    }

    static byte[] hmac(String algorithm, byte[] key, byte[] content) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(hmac(SECRET.getBytes(UTF_8), text));
    }

    private static Map<String, String> labelled(String family, String id, Instant at, String body) {
        byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
        byte[] hash = hmac(key, id + "." + at.getEpochSecond() + "." + body);
        return Map.of(
                family + "-id",
                id,
                family + "-timestamp",
                "" + at.getEpochSecond(),
                family + "-signature",
                "v1," + Base64.getEncoder().encodeToString(hash));
    }

    private static Map<String, String> stripe(Instant at, String body) {
        long seconds = at.getEpochSecond();
        return Map.of("Stripe-Signature", "t=" + seconds + ",v1=" + hex(seconds + "." + body));
    }

    private static Map<String, String> slack(Instant at, String body) {
        long seconds = at.getEpochSecond();
        return Map.of(
                "X-Slack-Request-Timestamp",
                "" + seconds,
                "X-Slack-Signature",
                "v0=" + hex("v0:" + seconds + ":" + body));
    }
}
