package dev.postern.app;

import dev.postern.config.MailboxSettings;
import dev.postern.config.MailboxUpdate;
import dev.postern.config.MailboxUpdatePlan;
import dev.postern.config.MailboxUpdatePlan.RejectedPlan;
import dev.postern.config.ProcessEnvironment;
import dev.postern.mail.MailException;
import dev.postern.mail.Mailbox;
import dev.postern.mail.RefreshToken;
import dev.postern.model.FileErrorText;
import dev.postern.model.HomeSetting;
import dev.postern.model.Secret;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The command {@code mail setup}, which opens the mailbox first and then writes its settings. */
final class MailSetupCommand {

    private static final String UNCHANGED = "Nothing was changed.";
    private static final String OAUTH = "oauth";

    /** The form in which Google shows an app password. */
    private static final Pattern IN_FOURS = Pattern.compile("([a-z]{4} ){3}[a-z]{4}");

    private final TerminalPrompt prompt;
    private final PrintStream out;
    private final PrintStream err;
    private final ProcessEnvironment environment = ProcessEnvironment.ofProcess(name -> null);

    MailSetupCommand(TerminalPrompt prompt, PrintStream out, PrintStream err) {
        this.prompt = prompt;
        this.out = out;
        this.err = err;
    }

    /** Sets up the mailbox that {@code options} describe; returns the exit code. */
    int run(Map<String, String> options) {
        Map<String, String> settings = new LinkedHashMap<>(options);
        boolean oauth = settings.remove(OAUTH) != null;
        settings.computeIfPresent("caFile", (setting, file) -> fromHere(file));
        String account = options.getOrDefault("account", "");
        Optional<KnownMailProvider> service = settings.containsKey("host")
                ? KnownMailProvider.at(settings.getOrDefault("host", ""))
                : KnownMailProvider.of(account);
        service.ifPresent(known -> settings.putIfAbsent("host", known.host()));
        if (!settings.containsKey("host")) {
            err.println(
                    "postern: which server " + account + " is at can't be told from the address; name it with --host,"
                            + " such as --host imap.example.com. " + UNCHANGED);
            return 1;
        }
        Map<String, String> answers = AnswerChannelOptions.takenFrom(settings, service);
        try {
            if (isRefused(settings, answers, oauth)) {
                return 1;
            }
            Map<String, Secret> secrets = new LinkedHashMap<>();
            String missing =
                    oauth ? askForTokens(settings, secrets, service) : askForPassword(account, secrets, service);
            if (!missing.isEmpty()) {
                err.println("postern: no " + missing + " was given. " + UNCHANGED);
                return 1;
            }
            MailboxUpdatePlan plan = MailboxUpdatePlan.of(environment, settings, secrets, answers);
            return plan instanceof MailboxUpdate change
                    ? tryOut(change, !answers.isEmpty())
                    : refuse((RejectedPlan) plan);
        } catch (IOException e) {
            err.println("postern: the answer can't be read: " + e.getMessage() + ". " + UNCHANGED);
            return 1;
        }
    }

    /** The absolute path of {@code file}, which is relative to the working directory and later read from the home. */
    private static String fromHere(String file) {
        try {
            return Path.of(file).toAbsolutePath().toString();
        } catch (InvalidPathException malformed) {
            return file; // rejected later as a setting
        }
    }

    /** Whether the options fail with any secret, so that asking for it is of no use. */
    private boolean isRefused(Map<String, String> settings, Map<String, String> answers, boolean oauth) {
        Map<String, String> some = new LinkedHashMap<>(settings);
        if (oauth) {
            some.put("oauth.clientId", "any");
        }
        Secret any = new Secret(UUID.randomUUID().toString());
        MailboxUpdatePlan plan = MailboxUpdatePlan.of(
                environment, some, Map.of(oauth ? "oauth.refreshToken" : "password", any), answers);
        return plan instanceof RejectedPlan rejectedPlan && refuse(rejectedPlan) != 0;
    }

    private int refuse(RejectedPlan rejectedPlan) {
        rejectedPlan.problems().forEach(problem -> err.println("problem: " + problem));
        err.println(UNCHANGED);
        return 1;
    }

    /** Asks for the password; returns the name of what was not given, or an empty text. */
    private String askForPassword(String account, Map<String, Secret> secrets, Optional<KnownMailProvider> service)
            throws IOException {
        service.ifPresent(known -> err.println(known.login()));
        String password = prompt.secret("Password of " + account);
        boolean google =
                service.filter(known -> known.host().equals("imap.gmail.com")).isPresent();
        String meant = google && IN_FOURS.matcher(password).matches() ? password.replace(" ", "") : password;
        secrets.put("password", new Secret(meant));
        return meant.isEmpty() ? "password" : "";
    }

    private String askForTokens(
            Map<String, String> settings, Map<String, Secret> secrets, Optional<KnownMailProvider> service)
            throws IOException {
        String tokenUrl = service.flatMap(KnownMailProvider::tokenUrl).orElse("");
        settings.put(
                "oauth.tokenUrl", tokenUrl.isEmpty() ? prompt.text("Where access tokens are asked for") : tokenUrl);
        settings.put("oauth.clientId", prompt.text("Id of the OAuth client"));
        String clientSecret = prompt.secret("Its secret, empty for none");
        if (!clientSecret.isEmpty()) {
            secrets.put("oauth.clientSecret", new Secret(clientSecret));
        }
        String refreshToken = prompt.secret("Refresh token");
        secrets.put("oauth.refreshToken", new Secret(refreshToken));
        return settings.containsValue("") ? "address or id" : refreshToken.isEmpty() ? "refresh token" : "";
    }

    /** @param answers whether the mailbox's mails will get answers by mail */
    private int tryOut(MailboxUpdate change, boolean answers) {
        MailboxSettings watch = change.mailbox();
        @Nullable
        RefreshToken refreshToken = RefreshToken.inMemory(watch.server().login());
        try {
            String found = MailCommand.withMailbox(watch, refreshToken, mailbox -> found(watch, mailbox));
            Optional<AnswerChannel> channel = answers ? AnswerChannel.of(change) : Optional.empty();
            Optional<String> fault = channel.flatMap(each -> each.fault(watch, refreshToken));
            if (fault.isPresent()) {
                String scope = refreshToken == null ? "" : "Check that the tokens' scope allows sending over SMTP. ";
                return failed(
                        fault.get() + ". Check --smtp-host, --smtp-port and --smtp-security. " + scope, refreshToken);
            }
            return write(exchanged(refreshToken).map(change::withRefreshToken).orElse(change), found, channel);
        } catch (MailException e) {
            String advice = MailCommand.advice(watch, e);
            return failed(e.getMessage() + ". " + (advice.isEmpty() ? "" : advice + " "), refreshToken);
        }
    }

    /** @param sentences each with a space behind it */
    private int failed(String sentences, @Nullable RefreshToken refreshToken) {
        String gone = exchanged(refreshToken).isPresent()
                ? "The service has exchanged the refresh token meanwhile; ask for a new one. "
                : "";
        err.println("postern: " + sentences + gone + UNCHANGED);
        return 1;
    }

    private static Optional<Secret> exchanged(@Nullable RefreshToken refreshToken) {
        return Optional.ofNullable(refreshToken).flatMap(RefreshToken::exchanged);
    }

    private static String found(MailboxSettings watch, Mailbox mailbox) throws MailException {
        return "The login works: " + watch.label() + " of " + watch.account() + " at "
                + watch.server().host() + ":"
                + watch.server().port() + " holds " + CountText.of(mailbox.count(), "mail")
                + (mailbox.supportsIdle() ? ", and the server tells of each new one at once." : ".");
    }

    private int write(MailboxUpdate change, String found, Optional<AnswerChannel> channel) {
        try {
            change.write();
        } catch (IOException e) {
            err.println("postern: " + change.file() + " or its secrets can't be written: " + FileErrorText.of(e)
                    + ". hooks.gmail is as it was.");
            return 1;
        }
        out.println(found);
        channel.ifPresent(
                each -> out.println("The login for answers works: " + each.account() + " at " + each.server() + "."));
        change.secretFiles().forEach(file -> out.println("Wrote " + file + ", which its owner alone can read."));
        out.println("Wrote " + change.file() + " with hooks.gmail"
                + (channel.isPresent() ? ", hooks.presetReplyTo.gmail and channels.mail" : "")
                + ". To switch the watch off, delete that file.");
        if (!change.dropped().isEmpty()) {
            out.println("It does not say any more: " + String.join(", ", change.dropped()) + ".");
        }
        Map<String, String> properties = environment.systemProperties();
        @Nullable String home = properties.getOrDefault(HomeSetting.OPTION_PROPERTY, properties.get("postern.home"));
        new MailSetupPreview(out, home).tell(change.configured(), change.mailbox(), channel);
        tellOfAnswers(change, channel);
        return 0;
    }

    private void tellOfAnswers(MailboxUpdate change, Optional<AnswerChannel> channel) {
        if (channel.isPresent()) {
            out.println("Answers are on: Postern mails the agent's reply to the sender, from "
                    + channel.get().sender() + ", but only to " + channel.get().recipients()
                    + ". Nobody else gets one, nor does a list or another program. To switch answers off, give the"
                    + " command again without --answer-to.");
        } else if (change.mailChannels().isEmpty()) {
            out.println("Nobody gets an answer by mail; --answer-to switches answers on for those whom it names.");
        }
    }
}
