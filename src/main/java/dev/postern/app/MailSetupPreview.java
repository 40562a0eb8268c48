package dev.postern.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxSettings.Afterwards;
import dev.postern.model.ShellWord;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A preview, for the operator, of what will happen to the mails of a mailbox that has just been set up. */
final class MailSetupPreview {

    private final PrintStream out;
    private final @Nullable String home;

    /** @param home the home that the command line named; null if it named none */
    MailSetupPreview(PrintStream out, @Nullable String home) {
        this.out = out;
        this.home = home;
    }

    void tell(Configured configured, MailboxSettings watch, Optional<AnswerChannel> channel) {
        configured.warnings().stream()
                .filter(warning -> warning.setting().startsWith("hooks.gmail")
                        || (channel.isPresent() && warning.setting().startsWith("channels.mail")))
                .forEach(warning -> out.println("warning: " + warning));
        String which = watch.since() == null ? "arrives from then on" : "arrived since " + watch.since();
        out.println();
        String from =
                configured.settings().hooks().enabled() ? "From the next start on" : "Once hooks.enabled is true,";
        out.println(from + " Postern takes each mail that " + which + " in " + watch.label() + ". In the mailbox it "
                + afterwards(watch.afterwards()) + ".");
        try (DryRunServices dryRun = DryRunServices.of(configured.settings(), "mail")) {
            String mail = sample(watch, channel.flatMap(AnswerChannel::someone)).toString();
            tell(dryRun.mail(mail.getBytes(StandardCharsets.UTF_8), null));
        } catch (StartException e) {
            e.report().problems().forEach(problem -> out.println("problem: " + problem));
        }
        out.println("Restart Postern if it is running. To see what would become of the mails that are there: java -jar"
                + " postern.war mail test" + (home == null ? "" : " --home " + ShellWord.of(home)));
    }

    private void tell(ObjectNode explanation) {
        if (explanation.path("status").asInt() >= 400) {
            out.println("problem: a mail would not be taken: "
                    + explanation
                            .path("error")
                            .asText(explanation.at("/policy/0/error").asText()));
            return;
        }
        String mapping = "The mapping " + explanation.path("mapping").asText();
        JsonNode action = explanation.at("/actions/0");
        JsonNode policy = explanation.at("/policy/0");
        if (!action.path("action").asText().equals("agent")) {
            out.println(mapping + (action.isMissingNode() ? " makes nothing of it." : " makes a wake of it."));
            return;
        }
        boolean silent = action.has("deliver");
        String to = action.has("to") ? " (" + action.path("to").asText() + ")" : "";
        out.println(
                mapping + " makes a turn of it: agent " + policy.path("agentId").asText() + ", session "
                        + policy.path("sessionKey").asText() + ", model "
                        + policy.path("model").asText() + "; its reply goes "
                        + (silent
                                ? "nowhere"
                                : "to the channel " + action.path("channel").asText("last") + to) + ".");
        if (policy.path("model").asText().startsWith("offline/")) {
            out.println("That model calls nobody; README.md shows how to configure one.");
        }
    }

    private static String afterwards(Afterwards afterwards) {
        if (afterwards instanceof Afterwards.Move move) {
            return "is moved to " + move.folder();
        }
        if (afterwards instanceof Afterwards.MarkRead) {
            return "is marked as read";
        }
        return afterwards instanceof Afterwards.Flag ? "is flagged, and stays unread" : "stays as it is, unread";
    }

    /**
     * A made-up mail in the form that the mail watch submits.
     *
     * @param answered the address of a sender who gets an answer; empty if nobody does
     */
    private static ObjectNode sample(MailboxSettings watch, Optional<String> answered) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("source", MailboxSettings.SOURCE).put("account", watch.account());
        ObjectNode mail = payload.putArray("messages").addObject();
        mail.put("id", "a-mail@example.com").put("threadId", "a-thread@example.com");
        mail.put("from", "Ada Byron <" + answered.orElse("ada@example.com") + ">")
                .put("to", watch.account());
        mail.put("subject", "Printer 3").put("date", "2026-11-22T09:12:00+01:00");
        mail.put("snippet", "It is the new driver.");
        if (watch.includeBody()) {
            mail.put("body", "It is the new driver.");
        }
        ArrayNode labels = mail.putArray("labels");
        labels.add(watch.label());
        mail.putArray("attachments");
        answered.ifPresent(address -> mail.putObject("reply")
                .put("author", address)
                .put("address", address)
                .put("references", "<a-mail@example.com>")
                .put("answerable", true)
                .put("to", address + "/<a-mail@example.com>/Printer 3"));
        return payload;
    }
}
