package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A translator of the section {@code heartbeat}, of all agents or of one. */
final class HeartbeatTranslator {

    private static final Pattern MINUTES = Pattern.compile("[0-9]+");

    private static final Map<String, String> REASONS = Map.of(
            "prompt", "HEARTBEAT.md in the agent's workspace says what a heartbeat is for",
            "model", "a heartbeat runs on its agent's model",
            "directPolicy", "Postern sends to whomever target and to name",
            "accountId", "name the channel of that account in target",
            "session", "a heartbeat belongs to the agent's main session",
            "timeoutSeconds", "agents.defaults.timeoutSeconds limits every turn",
            "ackMaxChars", "it is 300, as in OpenClaw's default");

    private HeartbeatTranslator() {}

    static Fields translate(ImportContext context, OpenClawSection heartbeat) {
        SettingsBuilder settings = new SettingsBuilder(heartbeat.origin());
        settings.put("every", heartbeat.text("every").map(HeartbeatTranslator::duration));
        Optional<Scalar> target = heartbeat.text("target");
        Optional<Scalar> to = heartbeat.text("to");
        if (target.filter(channel -> channel.text().equals("owner")).isPresent()) {
            settings.put("target", SettingsBuilder.text("inbox", target.get().origin()));
            context.notes()
                    .differs(
                            target.get().origin(),
                            heartbeat.path("target"),
                            "Postern knows no owner, and keeps the replies in inbox; name a channel and to");
            heartbeat.skip("to", "inbox has no recipients");
        } else {
            settings.put("target", target);
            String kind = target.map(Scalar::text).orElse("");
            settings.put(
                    "to",
                    to.map(recipient -> SettingsBuilder.text(
                            RecipientTranslator.translate(kind, recipient.text()), recipient.origin())));
        }
        heartbeat
                .section("activeHours")
                .flatMap(hours -> activeHours(hours))
                .ifPresent(hours -> settings.put("activeHours", hours));
        heartbeat.skipRest(REASONS, "Postern's heartbeats have no such setting");
        return settings.build();
    }

    /** A duration without a unit is in minutes. */
    private static Scalar duration(Scalar every) {
        String text = every.text().strip();
        return MINUTES.matcher(text).matches() && !text.equals("0")
                ? SettingsBuilder.text(text + "m", every.origin())
                : SettingsBuilder.text(text, every.origin());
    }

    /** The hours; empty if they are all hours. The time zones {@code local} and {@code user} are those of the server. */
    private static Optional<Fields> activeHours(OpenClawSection hours) {
        Optional<Scalar> start = hours.text("start");
        Optional<Scalar> end = hours.text("end");
        Optional<Scalar> zone =
                hours.text("timezone").filter(name -> !name.text().matches("local|user"));
        boolean all = start.map(Scalar::text).filter("00:00"::equals).isPresent()
                && end.map(Scalar::text).filter("24:00"::equals).isPresent();
        return all
                ? Optional.empty()
                : Optional.of(new SettingsBuilder(hours.origin())
                        .put("start", start)
                        .put("end", end)
                        .put("timezone", zone)
                        .build());
    }
}
