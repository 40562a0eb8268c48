package dev.postern.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.launch.CommandLine.Example;
import dev.postern.app.launch.CommandLine.UsageException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the arguments of {@code java -jar postern.war}. */
class CommandLineTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "explain|explain needs the name of a hook and a file with a payload",
                "explain github|explain needs the name of a hook and a file with a payload",
                "explain github a.json b.json|explain needs the name of a hook and a file with a payload",
                "explain // a.json|explain needs the name of a hook, not //",
                "explain github a.json --header|--header needs a value",
                "explain github a.json --header x-event|--header needs name=value, not x-event",
                "explain github a.json --header =push|--header needs name=value, not =push",
                "explain github a.json --header x-event=a --header X-Event=b|--header gives x-event twice",
                "explain github a.json --query a=b --query a=c|--query gives a twice",
                "explain github a.json --port 1|unknown argument --port for explain",
                "check github|unknown argument github for check",
                "chek|unknown command chek; did you mean check?",
                "exlpain github a.json|unknown command exlpain; did you mean explain?",
                "serve --prot 1|unknown argument --prot for serve; did you mean --port?",
                "check --on-line|unknown argument --on-line for check; did you mean --online?",
                "mail setup --acount a@example.com|unknown argument --acount for mail setup; did you mean --account?",
                "completion|completion needs the name of a shell: bash or zsh",
                "completion fish|completion needs the name of a shell: bash or zsh",
                "import|import needs one file, OpenClaw's openclaw.json",
                "import a.json b.json|unknown argument b.json for import",
                "import a.json --force|unknown argument --force for import",
                "import a.json --hom x|unknown argument --hom for import; did you mean --home?",
                "imprt a.json|unknown command imprt; did you mean import?",
                "compact --port 1|unknown argument --port for compact",
                "serve --log-format|--log-format needs a value",
                "serve --log-format xml|--log-format must be text or json, not xml",
                "check --log-format json|unknown argument --log-format for check",
                "serve --header a=b|unknown argument --header for serve",
                "backtest --config|--config needs a value",
                "backtest --since 7d --since 8d|--since is given twice",
                "backtest new.yaml|unknown argument new.yaml for backtest",
                "backtest --maping order|unknown argument --maping for backtest; did you mean --mapping?",
                "backup|backup needs --to, the new file",
                "backup --to|--to needs a value",
                "backup --to a.zip --to b.zip|--to is given twice",
                "backup --to --without-secrets|--to needs a value, not --without-secrets",
                "backup --to a.zip --home --without-secrets|--home needs a value, not --without-secrets",
                "serve --home --port|--home needs a value, not --port",
                "serve --home --prot 1|--home needs a value, not --prot",
                "serve --home a --home b|--home is given twice",
                "serve --port 1 --bind a --port 2|--port is given twice",
                "check --online --home a --online|--online is given twice",
                "explain github a.json --sender ci --sender lab|--sender is given twice",
                "explain github a.json --header --query a=b|--header needs a value, not --query",
                "backtest --home a --since 7d --home b|--home is given twice",
                "token new ci --home a --home b|--home is given twice",
                "mail setup --account --password=s3cret|--account needs a value, not --password",
                "mail setup --oauth --account a@example.com --oauth|--oauth is given twice",
                "backup a.zip|unknown argument a.zip for backup",
                "backup --to a.zip --without-secret|unknown argument --without-secret for backup; did you mean --without-secrets?",
                "restore|restore needs a backup",
                "restore --replace|restore needs a backup",
                "restore a.zip b.zip|unknown argument b.zip for restore",
                "verify|verify needs a backup",
                "verify a.zip --home h|unknown argument --home for verify",
                "copy-database|copy-database needs --to, a JDBC URL such as jdbc:postgresql://host/database",
                "copy-database --to jdbc:postgresql:p --password s3cret|unknown argument --password for copy-database",
                "mail|mail needs setup or test",
                "mail steup --account a@example.com|mail needs setup or test",
                "mail setup|mail setup needs --account, the mailbox's address",
                "mail setup --account|--account needs a value",
                "mail setup --account a@example.com --account b@example.com|--account is given twice",
                "mail setup --account a@example.com --password s3cret|unknown argument --password for mail setup",
                "mail setup --account a@example.com --password=s3cret|unknown argument --password for mail setup",
                "mail setup --account a@example.com s3cret|unknown argument without an option for mail setup",
                "mail setup --account a@example.com --smtp-host smtp.example.com|--smtp-host needs --answer-to, which says who"
                        + " gets answers",
                "mail setup --account a@example.com --answer-to|--answer-to needs a value",
                "mail setup --account a@example.com --answer-to @example.com --answer-to @b|--answer-to is given twice",
                "mail test --answer-to @example.com|unknown argument --answer-to for mail test",
                "mail test --label Work|unknown argument --label for mail test",
                "mail test --oauth|unknown argument --oauth for mail test",
                "brew|unknown command brew"
            })
    void rejectsInvalidArguments(String arguments, String message) {
        assertThatThrownBy(() -> CommandLine.parse(arguments.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void bindsToTheLastAddress() throws UsageException {
        assertThat(parse("serve --bind 0.0.0.0 --port 9090 --bind [::]").bind()).isEqualTo("::");
    }

    @Test
    void readsOptionsOfBackupsAndCopies() throws UsageException {
        assertThat(parse("backup --home /home/p --to a.zip --without-secrets").options())
                .isEqualTo(Map.of("to", "a.zip", "without-secrets", "true"));
        assertThat(parse("restore --replace a.zip --home /home/p").options())
                .isEqualTo(Map.of("file", "a.zip", "replace", "true"));
        assertThat(parse("restore --replace a.zip --home /home/p").home()).isEqualTo("/home/p");
        assertThat(parse("verify a.zip").options()).isEqualTo(Map.of("file", "a.zip"));
        assertThat(parse("copy-database --to jdbc:postgresql:p --username ada").options())
                .isEqualTo(Map.of("to", "jdbc:postgresql:p", "username", "ada"));
    }

    @Test
    void readsExampleWithHeadersAndQuery() throws UsageException {
        CommandLine line = parse(
                "explain /github/push/ samples/push.json --header X-GitHub-Event=push --query a=1=2 --home /home/p --sender ci"
                        + " --header x-empty=");
        assertThat(line.command()).isEqualTo("explain");
        assertThat(line.home()).isEqualTo("/home/p");
        assertThat(line.example())
                .isEqualTo(new Example(
                        "/github/push/",
                        Path.of("samples/push.json"),
                        Map.of("x-github-event", "push", "x-empty", ""),
                        Map.of("a", "1=2"),
                        "ci"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "token|token needs new",
                "token old ci|token needs new",
                "token new|token new needs the id of a sender",
                "token new --hooks wake|token new needs the id of a sender",
                "token new ci lab|unknown argument lab for token new",
                "token new ci --hook wake|unknown argument --hook for token new; did you mean --hooks?",
                "token new ci --hooks|--hooks needs a value",
                "token new ci --hooks a --hooks b|--hooks is given twice"
            })
    void saysWhatTokenNewMisses(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void readsTheSettingsOfTokenNew() throws UsageException {
        CommandLine line =
                parse("token new ci --hooks wake,github/* --session-key-prefixes hook: --home /home/p --rate 60/1m");
        assertThat(line.command()).isEqualTo("token new");
        assertThat(line.home()).isEqualTo("/home/p");
        assertThat(line.options())
                .isEqualTo(
                        Map.of("id", "ci", "hooks", "wake,github/*", "sessionKeyPrefixes", "hook:", "rate", "60/1m"));
    }

    @Test
    void readsExampleOptionsAnywhere() throws UsageException {
        assertThat(parse("explain --query B=1 github --header a=b a.json").example())
                .isEqualTo(new Example("github", Path.of("a.json"), Map.of("a", "b"), Map.of("B", "1"), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"explain --help", "explain github a.json -h", "help", "--help"})
    void givesHelpWithAnyOtherArguments(String arguments) throws UsageException {
        assertThat(parse(arguments).command()).isEqualTo("help");
        assertThat(CommandCatalog.USAGE).contains("explain <name> <payload.json>");
    }

    @ParameterizedTest
    @CsvSource({"[::1],::1", "::1,::1", "[fe80::1%eth0],fe80::1%eth0", "0.0.0.0,0.0.0.0", "[localhost],[localhost]"})
    void takesAddressInBrackets(String argument, String address) throws UsageException {
        assertThat(parse("serve --bind " + argument).bind()).isEqualTo(address);
    }

    @Test
    void servesLocallyWithoutArguments() throws UsageException {
        assertThat(CommandLine.parse(new String[0]))
                .isEqualTo(new CommandLine("serve", 8080, "127.0.0.1", null, false, null, Map.of()));
    }

    @Test
    void namesMailboxOptionsAsSettings() throws UsageException {
        CommandLine line = parse("mail setup --account a@example.com --host imap.example.com --port 1 --security none"
                + " --username u --label L --since 2026-11-01 --afterwards read --include-body false --max-bytes 500"
                + " --model m/x --thinking low --oauth --home /home/p");
        assertThat(line.command()).isEqualTo("mail setup");
        assertThat(line.home()).isEqualTo("/home/p");
        assertThat(line.options())
                .hasSize(13)
                .containsEntry("account", "a@example.com")
                .containsEntry("includeBody", "false")
                .containsEntry("maxBytes", "500")
                .containsEntry("oauth", "true");
        assertThat(parse("mail test --account a@example.com").options()).isEqualTo(Map.of("account", "a@example.com"));
    }

    @Test
    void namesOptionsOfBacktestWithoutDashes() throws UsageException {
        CommandLine line = parse("backtest --since 7d --json --mapping order --config new.yaml --home /home/p");

        assertThat(line.command()).isEqualTo("backtest");
        assertThat(line.home()).isEqualTo("/home/p");
        assertThat(line.options())
                .isEqualTo(Map.of("since", "7d", "json", "true", "mapping", "order", "config", "new.yaml"));
    }

    @Test
    void readsTheFileOfImport() throws UsageException {
        CommandLine line = parse("import --home /home/p claw/openclaw.json");

        assertThat(line.home()).isEqualTo("/home/p");
        assertThat(line.options()).isEqualTo(Map.of("file", "claw/openclaw.json"));
    }

    @Test
    void readsOnlineOptionOfCheck() throws UsageException {
        assertThat(parse("check --home /home/p --online").online()).isTrue();
        assertThat(parse("check").online()).isFalse();
    }

    private static CommandLine parse(String arguments) throws UsageException {
        return CommandLine.parse(arguments.split(" "));
    }
}
