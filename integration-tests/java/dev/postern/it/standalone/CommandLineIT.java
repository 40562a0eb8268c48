package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of the command line of {@code java -jar postern.war}. */
@Tag("long")
class CommandLineIT {

    private static final String BROKEN =
            """
            hooks:
              enabled: true
              path: /
              maxBodyBites: 5
            agents:
              maxConcurrent: none
            """;

    private static final Duration LONGEST = Duration.ofSeconds(90);

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--colour",
                "brew",
                "serve --port",
                "serve --port ninety",
                "check --port 1",
                "version -x",
                "explain",
                "explain github",
                "explain github push.json --header x-github-event",
                "backtest --config",
                "mail setup",
                "mail setup --account ada@example.com --password s3cret"
            })
    void endsWithTwoWhereTheArgumentsMakeNoSense(String arguments) {
        PosternProcess ended = homeFixtureExtension.newHome().run(arguments.split(" "));

        assertThat(ended.awaitExit()).isEqualTo(2);
        assertThat(ended.log()).startsWith("postern: ").endsWith("--help\n");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void saysOnOneLineThatThePortIsInUse() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            PosternProcess ended = home.serve("--port", port);

            assertThat(ended.awaitExit()).isEqualTo(1);
            assertThat(ended.log()).isEqualTo("postern: port " + port + " on 127.0.0.1 is in use\n");
            assertThat(ended.out()).isEmpty();
        }
    }

    @Test
    void writesTheLogAsOneObjectALine() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess postern =
                home.serve("--port", "0", "--log-format", "json").awaitReady();
        assertThat(postern.sender().post("wake", "{\"text\":\"hello\"}").status())
                .isEqualTo(200);
        postern.stop();

        List<JsonObject> entries = postern.log()
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
        assertThat(entries).isNotEmpty().allSatisfy(entry -> assertThat(entry.keySet())
                .startsWith("timestamp", "level", "logger", "thread", "message"));
        assertThat(entries)
                .extracting(entry -> entry.get("message").getAsString())
                .anyMatch(message -> message.contains("database SQLite in "));
        assertThat(postern.out()).contains(" is ready at ");
    }

    @Test
    void takesNoRequestsWhereTheAddressToBindIsNone() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess ended = home.serve("--port", "0", "--bind", "no-such-host.invalid");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log().lines()).singleElement().asString().contains("no-such-host.invalid");
        assertThat(home.directory().resolve("data")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve --port 0", "check", "compact"})
    void saysOnOneLineThatTheLocaleCannotSpellTheHome(String command) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String war = Path.of(System.getProperty("it.war", "target/postern.war"))
                .toAbsolutePath()
                .toString();
        String script = "home=$(printf 'h\\303\\266me') && mkdir \"$home\" && exec \"$0\" -jar \"$1\" " + command
                + " --home \"$home\"";
        PosternProcess ended = homeFixtureExtension
                .newHome()
                .environment("LC_ALL", "C")
                .command(List.of("bash", "-c", script, java, war));

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat((ended.out() + ended.log()).lines())
                .singleElement()
                .asString()
                .contains("home [--home]", "locale", "LC_ALL=C.UTF-8")
                .doesNotContain("Exception");
    }

    @Test
    void looksOnlineWhetherTheDatabaseOpens() throws Exception {
        HomeFixture away = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(), "database: {url: 'jdbc:postgresql://127.0.0.1:1/none?password=hunter2'}");
        PosternProcess problem =
                away.run("check", "--online", "--home", away.directory().toString());
        assertThat(problem.awaitExit()).isEqualTo(1);
        assertThat(problem.out())
                .contains("problem: database: cannot open the database [jdbc:postgresql://127.0.0.1:1/none]")
                .doesNotContain("hunter2", "ok: ");

        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        String file = home.directory().resolve("data/postern.db").toString();
        PosternProcess nothing =
                home.run("check", "--online", "--home", home.directory().toString());
        assertThat(nothing.awaitExit()).isZero();
        assertThat(nothing.out()).contains("ok: database: SQLite in " + file + " is not there yet");
        assertThat(home.directory().resolve("data")).doesNotExist();

        PosternProcess postern = home.start();
        assertThat(postern.log()).contains("database SQLite in " + file + ", ");
        PosternProcess beside =
                home.run("check", "--online", "--home", home.directory().toString());
        assertThat(beside.awaitExit()).isZero();
        assertThat(beside.out()).contains("ok: database: SQLite in " + file + " opens, with schema ");
        assertThat(postern.sender().post("wake", "{\"text\":\"hello\"}").status())
                .isEqualTo(200);
    }

    @Test
    void backtestsBesideARunningPosternAndAfterIt() throws Exception {
        String mapping = "    - {id: order, match: {path: order}, messageTemplate: 'Order {{payload.n}}'}";
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("mappings:", mapping), "requests: {payloads: all}")
                .file(
                        "new.yaml",
                        HomeFixture.hooks("mappings:", mapping.replace("Order", "New order"))
                                + "\nrequests: {payloads: all}\n");
        String directory = home.directory().toString();
        PosternProcess postern = home.start();
        assertThat(postern.sender().post("order", "{\"n\":7}").status()).isEqualTo(202);

        PosternProcess same = home.run("backtest", "--home", directory);
        PosternProcess beside = home.run("backtest", "--config", directory + "/new.yaml", "--home", directory);
        assertThat(same.awaitExit()).as(same.log()).isZero();
        assertThat(same.out()).startsWith("0 requests of 1 since ");
        assertThat(beside.awaitExit()).as(beside.log()).isEqualTo(1);
        assertThat(beside.out())
                .contains("  actions[0].message: Order 7 -> New order 7\n")
                .contains("1 request of 1 since ");

        assertThat(postern.stop()).isZero();
        PosternProcess after = home.run("backtest", "--json", "--config", directory + "/new.yaml", "--home", directory);
        assertThat(after.awaitExit()).as(after.log()).isEqualTo(1);
        assertThat(after.out()).contains("\"field\" : \"actions[0].message\"").endsWith("}\n");
        assertThat(after.log()).isEmpty();

        Files.delete(home.directory().resolve("secrets/payload-key"));
        PosternProcess blind = home.run("backtest", "--home", directory);
        assertThat(blind.awaitExit()).isEqualTo(2);
        assertThat(blind.out()).doesNotContain("Order");
    }

    @Test
    void saysOnOneLineThatTheHomeIsNoDirectory() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome();
        Files.writeString(home.directory(), "no directory");

        PosternProcess ended = home.serve("--port", "0");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log().lines())
                .singleElement()
                .asString()
                .startsWith("postern: the home " + home.directory() + " can't be written: ")
                .doesNotContain("Exception");
    }

    @Test
    void saysOnOneLineThatTheHomeIsInUseAndLeavesItsOwnerAlone() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        PosternProcess owner = home.start();

        PosternProcess ended = home.serve("--port", "0");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(lines(ended.log(), "postern: "))
                .singleElement()
                .asString()
                .contains(home.directory().toString(), "is in use by another Postern (process " + owner.pid() + ")");
        assertThat(ended.out()).isEmpty();
        assertThat(owner.sender().post("wake", "{\"text\":\"still here\"}").status())
                .isEqualTo(200);
        assertThat(owner.stop()).isZero();
    }

    @Test
    void letsOneOfSeveralStartsOnEmptyHomeWin() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        List<PosternProcess> starts =
                Stream.generate(() -> home.serve("--port", "0")).limit(3).toList();

        await().atMost(LONGEST)
                .until(() -> starts.stream().filter(PosternProcess::isAlive).count() == 1
                        && starts.stream().anyMatch(PosternProcess::isReady));
        PosternProcess winner =
                starts.stream().filter(PosternProcess::isAlive).findFirst().orElseThrow();
        HookSender sender =
                winner.sender().withToken(home.read("secrets/hook-token").strip());
        assertThat(sender.post("wake", "{\"text\":\"hello\"}").status()).isEqualTo(200);
        assertThat(starts).filteredOn(start -> !start.isAlive()).allSatisfy(refused -> {
            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.log().lines())
                    .filteredOn(line -> line.startsWith("postern: "))
                    .singleElement()
                    .asString()
                    .contains("is in use by another Postern");
        });
    }

    @Test
    void listsEveryProblemOfARefusedConfigurationAndEnds() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(BROKEN);

        PosternProcess ended = home.serve("--port", "0");

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log().lines()).hasSize(4).allMatch(line -> line.startsWith("postern: "));
        assertThat(ended.log())
                .contains("hooks.path", "hooks.token", "did you mean hooks.maxBodyBytes", "agents.maxConcurrent")
                .contains("postern.yaml:3:9");
        assertThat(home.directory().resolve("data")).doesNotExist();
    }

    @Test
    void checkListsTheSameProblemsAndMakesNothing() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(BROKEN);

        PosternProcess ended = home.run("check", "--home", home.directory().toString());

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(lines(ended.out(), "problem: ")).hasSize(4);
        assertThat(names(home.directory())).containsExactly("postern.yaml");
    }

    @Test
    void checkOfAHomeThatIsNotThereSaysWhatWillHappenAndMakesNothing() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome();

        PosternProcess ended = home.run("check", "--home", home.directory().toString());

        assertThat(ended.awaitExit()).isZero();
        assertThat(ended.out()).contains("the first start will set it up").contains("ok: ");
        assertThat(home.directory()).doesNotExist();
        assertThat(names(home.top())).allMatch(name -> name.matches("[0-9]\\.(out|err)"));
    }

    @Test
    void checkAcceptsWhatServeRuns() throws IOException {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("path: in/"), "channels: {slack: {botToken: t}}");

        PosternProcess ended = home.run("check", "--home", home.directory().toString());

        assertThat(ended.awaitExit()).isZero();
        assertThat(ended.out())
                .contains("ok: hooks at /in, 1 token")
                .doesNotContain(HomeFixture.TOKEN, "problem", "warning");
    }

    @Test
    void checkRefusesAPayloadKeyThatAStartCanNotRead() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        Path key = Files.createDirectories(home.directory().resolve("secrets")).resolve("payload-key");
        Files.writeString(key, "not a key\n");

        PosternProcess ended = home.run("check", "--home", home.directory().toString());

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(lines(ended.out(), "problem: "))
                .singleElement()
                .asString()
                .contains(key.toString(), "holds no key of kept payloads")
                .doesNotContain("not a key");
    }

    @Test
    void checkReportsPresetsWhoseSendersSendMoreThanIsAccepted() throws IOException {
        HomeFixture small = homeFixtureExtension.newHome().settings(presets("maxBodyBytes: 1000000"));
        HomeFixture large = homeFixtureExtension.newHome().settings(presets("maxBodyBytes: 26214400"));

        PosternProcess warned = small.run("check", "--home", small.directory().toString());
        PosternProcess silent = large.run("check", "--home", large.directory().toString());

        assertThat(warned.awaitExit()).isZero();
        assertThat(lines(warned.out(), "size: "))
                .satisfiesExactly(
                        github -> assertThat(github)
                                .contains("github", "25000000", "hooks.maxBodyBytes takes 1000000", "413"),
                        gitlab -> assertThat(gitlab).contains("gitlab", "25000000"));
        assertThat(silent.awaitExit()).isZero();
        assertThat(lines(silent.out(), "size: ")).isEmpty();
    }

    private static String presets(String line) {
        return HomeFixture.hooks(
                "presets: [github, gitlab, sentry]",
                "signingSecrets: {github: secret-of-github-1234, gitlab: secret-of-gitlab-1234, sentry: of-sentry-1234}",
                line);
    }

    @Test
    void explainsNothingWithoutAPayloadThatCanBeRead() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());

        PosternProcess ended = home.run(
                "explain", "github", "none.json", "--home", home.directory().toString());

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .startsWith("postern: the payload none.json can't be read")
                .hasLineCount(1);
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void explainsNoPayloadThatIsTooLargeForEachHook() throws IOException {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        Path large = home.top().resolve("large.json");
        try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
            sparse.setLength(3L << 30);
        }

        PosternProcess ended = home.run(
                "explain",
                "github",
                large.toString(),
                "--home",
                home.directory().toString());

        assertThat(ended.awaitExit()).isEqualTo(1);
        assertThat(ended.log())
                .isEqualTo("postern: the payload " + large
                        + " has more than 104857600 bytes, the most that hooks.maxBodyBytes can allow\n");
    }

    @Test
    void explainsEachLetterInALocaleThatDoesNotHaveIt() throws IOException {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(HomeFixture.hooks("mappings: [{match: {path: orders}, messageTemplate: 'Order {{n}}'}]"))
                .file("payload.json", "{\"n\":\"B\\u00fcro\"}")
                .environment("LC_ALL", "C");

        PosternProcess ended = home.run(
                "explain",
                "orders",
                home.directory().resolve("payload.json").toString(),
                "--home",
                home.directory().toString());

        assertThat(ended.awaitExit()).as(ended.log()).isZero();
        assertThat(ended.out()).contains("\"Order B\\u00FCro\"");
    }

    @Test
    void explainsGroupFallbacksAndBudgetsOfATurn() throws IOException {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks("mappings: [{id: down, match: {path: down}, messageTemplate: 'x {{host}}',"
                                + " coalesce: {key: '{{host}}', window: 2s}}]"),
                        "agents: {defaults: {fallbacks: [offline/other]}}",
                        "budgets: {few: {for: {hook: down}, runs: 1, per: 1h}, none: {for: {hook: agent}, runs: 1, per: 1h}}")
                .file("payload.json", "{\"host\":\"a\"}");

        PosternProcess ended = home.run(
                "explain",
                "/hooks/down",
                home.directory().resolve("payload.json").toString(),
                "--home",
                home.directory().toString());

        assertThat(ended.awaitExit()).isZero();
        assertThat(ended.out().replaceAll("\\s", ""))
                .contains(
                        "\"coalesce\":{\"key\":\"a\",\"windowSeconds\":2.0,\"maxWaitSeconds\":300.0,\"keep\":\"all\",\"maxItems\":100}",
                        "\"fallbacks\":[\"offline/other\"]",
                        "\"budgets\":[\"few\"]");
    }

    @Test
    void explainsTheMarkOfADeliveryBesideARunningPostern() throws Exception {
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        HomeFixture.hooks(
                                "presets: [github]",
                                "signingSecrets: {github: secret-of-github-1234}",
                                "mappings: [{id: note, match: {path: note}, action: deliver, channel: inbox, messageTemplate: x}]"));
        PosternProcess postern = home.start();
        String own = postern.sender().post("note", "{}").text("deliveryId");

        assertThat(explainedComment(home, own))
                .contains("\"code\" : \"own_delivery\"")
                .doesNotContain("detail");
        assertThat(explainedComment(home, "dlv_01m8bd6gqj69rthhm26q5k4903"))
                .contains("\"code\" : \"other_postern\"")
                .doesNotContain("detail");

        assertThat(postern.stop()).isZero();
        Files.move(home.directory().resolve("data"), home.directory().resolve("moved"));
        assertThat(explainedComment(home, own))
                .contains("\"code\" : \"own_delivery\"", "the database can't be asked whether it has that delivery");
        assertThat(home.directory().resolve("data")).doesNotExist();
    }

    private static String explainedComment(HomeFixture home, String deliveryId) throws IOException {
        home.file(
                "comment.json",
                "{\"action\":\"created\",\"issue\":{\"number\":1},\"repository\":{\"full_name\":\"o/r\"},"
                        + "\"comment\":{\"user\":{\"type\":\"User\"},\"body\":\"<!-- postern:" + deliveryId
                        + ".1 -->\"}}");
        String directory = home.directory().toString();
        PosternProcess ended = home.run(
                "explain",
                "github",
                directory + "/comment.json",
                "--header",
                "x-github-event=issue_comment",
                "--home",
                directory);
        assertThat(ended.awaitExit()).as(ended.log()).isZero();
        return ended.out();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version"})
    void saysItsVersion(String argument) {
        PosternProcess ended = homeFixtureExtension.newHome().run(argument);

        assertThat(ended.awaitExit()).isZero();
        assertThat(ended.out()).matches("Postern [0-9]+\\.[0-9]+\\.[0-9]+\\S*\n");
        assertThat(ended.log()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "serve --help", "help"})
    void saysHowItIsUsed(String arguments) {
        PosternProcess ended = homeFixtureExtension.newHome().run(arguments.split(" "));

        assertThat(ended.awaitExit()).isZero();
        assertThat(ended.out()).startsWith("Usage:").contains("serve", "check", "explain", "version", "POSTERN_HOME");
        assertThat(ended.log()).isEmpty();
    }

    @Test
    void setsUpAFreshHomeAndShowsALineThatWorksAsPasted() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome();
        PosternProcess first = home.start();

        String token = home.read("secrets/hook-token").strip();
        assertThat(token).hasSizeGreaterThanOrEqualTo(43);
        assertThat(first.log() + first.out()).doesNotContain(token);
        assertThat(first.log()).contains("secrets/hook-token").doesNotContain("WARNING", "SEVERE", "Exception");
        assertThat(permissions(home, "secrets/hook-token", "postern.yaml", "data/postern.db"))
                .containsOnly("rw-------");
        assertThat(permissions(home, "", "secrets", "data")).containsOnly("rwx------");
        assertThat(first.log())
                .containsPattern(
                        "A new home was set up:\\n  Settings: .*/postern.yaml\\n  Hook token: .*/secrets/hook-token"
                                + "\\n  Console: http://127.0.0.1:\\d+/console/, user operator, password in .*/console-password"
                                + "\\n  Try it: curl ");
        String root = first.log().replaceFirst("(?s).*Console: (http\\S+)console/.*", "$1");
        assertThat(paste("curl -s -o /dev/null -w '%{http_code} %{redirect_url}' " + root))
                .isEqualTo("303 " + root + "console/");
        assertThat(paste(line(first.log()))).contains("\"ok\":true").contains("\"eventId\":\"evt_");
        assertThat(first.stop()).isZero();

        PosternProcess second = home.start();
        assertThat(second.log())
                .doesNotContain("new home", "Try it", "WARNING")
                .contains("/console/, user operator, password in "
                        + home.directory().resolve("secrets/console-password"));
        assertThat(home.read("secrets/hook-token").strip()).isEqualTo(token);
        assertThat(second.stop()).isZero();
        assertThat(second.out().lines()).singleElement().asString().contains("/hooks (home " + home.directory() + ")");
    }

    @Test
    void deletesWhatOtherVersionsUnpackedAndNothingElse() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings(HomeFixture.hooks());
        home.file("work/postern-1-1/WEB-INF/web.xml", "")
                .file("work/unpacking-1/x", "")
                .file("work/other/x", "");

        PosternProcess postern = home.start();

        await().until(() -> !Files.exists(home.directory().resolve("work/unpacking-1")));
        assertThat(postern.sender().get("/health/live").status()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(names(home.directory().resolve("work")))
                .hasSize(4)
                .contains("other", "sqlite", "tomcat")
                .doesNotContain("postern-1-1"));
        assertThat(postern.stop()).isZero();
    }

    @Test
    void servesNoHookWhileTheyAreTurnedOff() throws Exception {
        HomeFixture home = homeFixtureExtension.newHome().settings("hooks:\n  enabled: false\n");

        PosternProcess postern = home.start();

        assertThat(postern.sender().post("wake", "{\"text\":\"hello\"}").status())
                .isEqualTo(404);
        assertThat(postern.sender().get("/health/ready").status()).isEqualTo(200);
        assertThat(lines(postern.log(), ""))
                .filteredOn(line -> line.contains("hooks.enabled is false"))
                .hasSize(1);
        assertThat(postern.out()).contains("without hooks: hooks.enabled is false");
        assertThat(postern.stop()).isZero();
    }

    private static List<String> lines(String text, String beginning) {
        return text.lines().filter(line -> line.startsWith(beginning)).toList();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private static List<String> permissions(HomeFixture home, String... names) throws IOException {
        List<String> permissions = new java.util.ArrayList<>();
        for (String name : names) {
            permissions.add(PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(home.directory().resolve(name))));
        }
        return permissions;
    }

    private static String line(String log) {
        Matcher found = Pattern.compile("Try it: (curl .*)").matcher(log);
        assertThat(found.find()).as(log).isTrue();
        return found.group(1);
    }

    private static String paste(String line) throws Exception {
        Process shell = new ProcessBuilder("bash", "-c", line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(shell.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(shell.exitValue()).isZero();
        return said;
    }
}
