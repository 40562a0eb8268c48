package dev.postern.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.ConfigurationLoader;
import dev.postern.config.ConfigurationResult;
import dev.postern.config.ConfigurationResult.Configured;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.MailboxSettings;
import dev.postern.config.ProcessEnvironment;
import dev.postern.config.Settings;
import dev.postern.mail.MailException;
import dev.postern.mail.Mailbox;
import dev.postern.mail.Mailbox.NewestMail;
import dev.postern.mail.message.MailHookPayload;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command {@code mail test}, which explains the last mails of the mailbox and changes nothing. */
final class MailTestCommand {

    private static final int MAILS = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;
    private final PrintStream err;

    MailTestCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Shows the last mails; returns the exit code.
     *
     * @param account null for the configured one
     */
    int run(@Nullable String account) {
        ConfigurationResult configuration = new ConfigurationLoader(ProcessEnvironment.ofProcess(name -> null))
                .load(ConfigurationLoader.Mode.CHECK);
        if (configuration instanceof Rejected rejected) {
            CompiledMappingFactory.problems(rejected).forEach(problem -> err.println("problem: " + problem));
            return 1;
        }
        Settings settings = ((Configured) configuration).settings();
        MailboxSettings watch = settings.hooks().mailbox();
        if (watch == null) {
            err.println("postern: hooks.gmail names no account; mail setup --account <address> writes it");
            return 1;
        }
        if (account != null && !account.equalsIgnoreCase(watch.account())) {
            err.println("postern: the mailbox that is configured is " + watch.account() + ", not " + account);
            return 1;
        }
        if (!settings.hooks().enabled()) {
            err.println("warning: hooks.enabled is false, so that the mailbox is not watched");
        }
        try (DryRunServices dryRun = DryRunServices.of(settings, "mail")) {
            List<NewestMail> mails = MailCommand.withMailbox(watch, mailbox -> newest(settings, watch, mailbox));
            for (NewestMail mail : mails) {
                show(mail, dryRun);
            }
            return 0;
        } catch (StartException e) {
            e.report().problems().forEach(problem -> err.println("problem: " + problem));
            return 1;
        } catch (MailException e) {
            err.println(("postern: " + e.getMessage() + ". " + MailCommand.advice(watch, e)).strip());
            return 1;
        }
    }

    private List<NewestMail> newest(Settings settings, MailboxSettings watch, Mailbox mailbox) throws MailException {
        err.println(watch.label() + " of " + watch.account() + " holds " + CountText.of(mailbox.count(), "mail"));
        return mailbox.newest(MAILS, MailAnswers.of(settings.channels(), ConfiguredRecipientForms.channels(settings)));
    }

    private void show(NewestMail newest, DryRunServices dryRun) {
        @Nullable MailHookPayload mail = newest.payload();
        if (mail == null) {
            err.println("warning: the mail server can't give the mail with UID " + newest.uid()
                    + "; the watch skips it if that lasts");
            return;
        }
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        ObjectWriter writer = PrintedJson.writer();
        try {
            shown.set("payload", JSON.readTree(mail.payload()));
            shown.set("explanation", dryRun.mail(mail.payload(), mail.key()));
            out.println(writer.writeValueAsString(shown));
        } catch (IOException e) {
            throw new UncheckedIOException("a payload that was made here is no JSON", e);
        }
    }
}
