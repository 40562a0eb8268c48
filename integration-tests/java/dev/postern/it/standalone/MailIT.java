package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.mail.Flags;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A test that the right mails of a watched mailbox become runs, soon and once. It also checks their state in the
 * mailbox afterwards.
 */
@Tag("long")
class MailIT {

    private static final int SINGLE_MAILS = 200;
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String WORK = "Work";

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @RegisterExtension
    final MailServer mails = new MailServer();

    @Test
    void acceptsAMailWithinASecondOfItsArrivalAndLeavesItUnread() throws Exception {
        HomeFixture home = watching(mails.port());
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        Random random = new Random();
        Map<String, Instant> delivered = new HashMap<>();
        for (int i = 0; i < SINGLE_MAILS; i++) {
            TestMail mail = TestMail.about("single " + i);
            delivered.put(mail.subject(), Instant.now());
            mails.deliver(mail);
            pass(random.nextInt(40));
        }

        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            runs.await(SINGLE_MAILS, LONGEST);
            Map<String, Instant> accepted = runs.accepted();
            List<Duration> took = delivered.entrySet().stream()
                    .map(each -> Duration.between(each.getValue(), accepted.get(each.getKey())))
                    .sorted()
                    .toList();
            Duration p99 = took.get(took.size() * 99 / 100);
            System.out.printf(
                    "from arrival to acceptance: p50 %d ms, p99 %d ms, longest %d ms%n",
                    took.get(took.size() / 2).toMillis(),
                    p99.toMillis(),
                    took.get(took.size() - 1).toMillis());
            assertThat(p99).isLessThan(TimeBound.of(Duration.ofSeconds(1)));
        }
        // A mail is counted just after it was accepted.
        await().until(() -> MailRuns.metric(postern, "postern_mails_handled_total") == SINGLE_MAILS);
        assertThat(MailRuns.metric(postern, "postern_mails_repeated_total")).isZero();
        assertThat(MailRuns.health(postern))
                .contains("\"part\":\"mail\",\"status\":\"up\"")
                .doesNotContain(MailServer.ACCOUNT);
        PosternResponse overview = postern.sender()
                .withToken(null)
                .get("/console/api/overview", List.of("Authorization", home.operator()));
        assertThat(overview.body())
                .contains("\"watching\":true", "\"handled\":" + SINGLE_MAILS)
                .doesNotContain(MailServer.ACCOUNT);
        assertThat(mails.inbox()).noneMatch(mail -> mail.isSet(Flags.Flag.SEEN));
    }

    @Test
    void looksAtOnceWhenPubSubTellsOfAChangeWhereTheServerCannotTell() throws Exception {
        HomeFixture home = watching(mails.withoutIdle().port());
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        mails.deliver(TestMail.about("told of by a push"));

        PosternResponse posternResponse = postern.sender().post("gmail", push());

        assertThat(posternResponse.status()).isEqualTo(204);
        assertThat(posternResponse.body()).isEmpty();
        awaitSubjects(home, TimeBound.of(Duration.ofSeconds(5)), "told of by a push");
    }

    @Test
    void beginsWithWhatArrivesFromThenOn() throws Exception {
        mails.deliver(TestMail.about("before the first look"));
        HomeFixture home = watching(mails.port());
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        mails.deliver(TestMail.about("new"));
        awaitSubjects(home, LONGEST, "new");
        assertThat(postern.stop()).isZero();
        mails.deliver(TestMail.about("while it was away"));

        home.start();

        awaitSubjects(home, LONGEST, "new", "while it was away");
    }

    @Test
    void leavesMailsInTheMailboxWhileABudgetIsSpentThatRejectsRequests() throws Exception {
        Duration window = Duration.ofSeconds(3);
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        MailServer.watched(mails.port(), MailServer.withPassword()),
                        "budgets: {mails: {for: {hook: gmail}, runs: 1, per: " + window.toSeconds()
                                + "s, whenSpent: refuse}}");
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        mails.deliver(TestMail.about("in the budget"));
        awaitSubjects(home, LONGEST, "in the budget");

        mails.deliver(TestMail.about("beyond the budget"));

        awaitSubjects(home, LONGEST, "in the budget", "beyond the budget");
        try (HomeDatabase database = home.database()) {
            Instant begun = Instant.ofEpochMilli(Long.parseLong(
                    database.column("SELECT MIN(started_at) FROM run").get(0)));
            assertThat(new MailRuns(database).accepted().get("beyond the budget"))
                    .isAfterOrEqualTo(begun.plus(window));
        }
        assertThat(MailRuns.metric(postern, "postern_mails_skipped_total{reason=\"refused\"}"))
                .isZero();
        assertThat(MailRuns.health(postern)).contains("\"part\":\"mail\",\"status\":\"up\"");
    }

    @Test
    void takesWhatArrivedSinceTheMomentThatIsSet() throws Exception {
        Instant moment = Instant.now().minus(Duration.ofDays(3));
        mails.deliver("INBOX", moment.minusSeconds(3600), TestMail.about("an hour before"));
        mails.deliver("INBOX", moment.plusSeconds(3600), TestMail.about("an hour after"));
        mails.deliver("INBOX", Instant.now(), TestMail.about("just now"));
        HomeFixture home = watching(mails.port(), "since: '" + moment + "'");

        PosternProcess postern = home.start();

        awaitSubjects(home, LONGEST, "an hour after", "just now");
        mails.deliver(TestMail.about("new"));
        awaitSubjects(home, LONGEST, "an hour after", "just now", "new");
        assertThat(postern.stop()).isZero();
    }

    @Test
    void takesNoMailTwiceAndLosesNoneWhenTheFolderIsMadeAnew() throws Exception {
        long validity = mails.folder(WORK).getUidValidity();
        HomeFixture home = watching(mails.port(), "label: " + WORK);
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        TestMail first = TestMail.about("first");
        TestMail second = TestMail.about("second");
        Instant arrived = Instant.now();
        mails.deliver(WORK, arrived, first);
        mails.deliver(WORK, arrived, second);
        awaitSubjects(home, LONGEST, "first", "second");

        mails.remove(WORK);
        await().atMost(LONGEST).until(() -> Instant.now().getEpochSecond() > validity); // it will be that second
        mails.deliver(WORK, arrived, second);
        mails.deliver(WORK, Instant.now(), first);
        mails.deliver(WORK, Instant.now(), TestMail.about("third"));
        mails.deliver(WORK, Instant.now(), TestMail.about("fourth"));

        awaitSubjects(home, LONGEST, "first", "second", "third", "fourth");
        mails.deliver(WORK, Instant.now(), TestMail.about("fifth"));
        awaitSubjects(home, LONGEST, "first", "second", "third", "fourth", "fifth");
        assertThat(mails.folder(WORK).getUidValidity()).isGreaterThan(validity);
        assertThat(postern.stop()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"read, SEEN", "flag, FLAGGED"})
    void marksWhatWasAcceptedAsItIsTold(String afterwards, String flag) throws Exception {
        mails.deliver(TestMail.about("not taken"));
        HomeFixture home = watching(mails.port(), "afterwards: " + afterwards);
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);

        mails.deliver(TestMail.about("taken"));
        awaitSubjects(home, LONGEST, "taken");

        Flags.Flag expected = flag.equals("SEEN") ? Flags.Flag.SEEN : Flags.Flag.FLAGGED;
        Flags.Flag other = flag.equals("SEEN") ? Flags.Flag.FLAGGED : Flags.Flag.SEEN;
        await().atMost(LONGEST).until(() -> mails.inbox().get(1).isSet(expected));
        assertThat(mails.inbox().get(1).isSet(other)).isFalse();
        assertThat(mails.inbox().get(0).isSet(expected)).isFalse();
    }

    @Test
    void movesWhatWasAcceptedAlsoWhenItIsKilledInBetween() throws Exception {
        mails.folder("Done");
        HomeFixture home = watching(mails.port(), "afterwards: move to Done");
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        for (int i = 0; i < 100; i++) {
            mails.deliver(TestMail.about("to be moved " + i));
        }
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> mails.folder("Done").getMessageCount() > 20);
        postern.kill();

        home.start();

        await().atMost(LONGEST).until(() -> mails.folder("Done").getMessageCount() == 100);
        assertThat(mails.inbox()).isEmpty();
        try (HomeDatabase database = home.database()) {
            new MailRuns(database).await(100, LONGEST);
            assertThat(new MailRuns(database).subjects()).doesNotHaveDuplicates();
        }
    }

    @Test
    void stopsInTimeWithSilentServerAndReadsMissedMailLater() throws Exception {
        DroppingProxy way = mails.proxy();
        HomeFixture home = watching(way.port());
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        way.freeze();
        mails.deliver(TestMail.about("while nothing was heard"));

        assertThat(postern.stop()).isZero();

        home.start();
        awaitSubjects(home, LONGEST, "while nothing was heard");
    }

    private HomeFixture watching(int port, String... more) throws Exception {
        String[] settings = new String[more.length + 1];
        System.arraycopy(more, 0, settings, 0, more.length);
        settings[more.length] = MailServer.withPassword();
        return homeFixtureExtension.newHome().settings(MailServer.watched(port, settings));
    }

    /** Waits for runs of the mails with these subjects, and makes sure that there are no others. */
    private static void awaitSubjects(HomeFixture home, Duration longest, String... subjects) {
        try (HomeDatabase database = home.database()) {
            MailRuns runs = new MailRuns(database);
            runs.await(subjects.length, longest);
            assertThat(runs.subjects()).containsExactlyInAnyOrder(subjects);
        }
    }

    private static String push() {
        String data = "{\"emailAddress\":\"" + MailServer.ACCOUNT + "\",\"historyId\":9876543210}";
        return "{\"message\":{\"data\":\""
                + Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8))
                + "\",\"messageId\":\"2070443601311540\",\"publishTime\":\"2026-11-22T08:00:00Z\"},"
                + "\"subscription\":\"projects/p/subscriptions/mail\"}";
    }

    private static void pass(int milliseconds) {
        Instant end = Instant.now().plusMillis(milliseconds);
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> Instant.now()
                .isAfter(end));
    }
}
