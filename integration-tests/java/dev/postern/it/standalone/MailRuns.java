package dev.postern.it.standalone;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The runs that mails became, as the database of a home shows them. */
record MailRuns(HomeDatabase database) {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(90);
    private static final Pattern SUBJECT = Pattern.compile("(?m)^Subject: (.*)$");

    /** Returns when the mailbox is watched. */
    static void awaitWatched(PosternProcess postern) {
        Awaitility.await("the mailbox to be watched")
                .atMost(LONGEST_CONNECT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> metric(postern, "postern_mail_watching") == 1);
    }

    /** Everything that {@code /health/ready} says. */
    static String health(PosternProcess postern) throws Exception {
        return postern.sender().get("/health/ready").body();
    }

    /** What {@code /metrics} says of {@code name}. */
    static double metric(PosternProcess postern, String name) throws Exception {
        Matcher figure = Pattern.compile("(?m)^" + Pattern.quote(name) + " (\\S+)$")
                .matcher(postern.sender().get("/metrics").body());
        return figure.find() ? Double.parseDouble(figure.group(1)) : Double.NaN;
    }

    /** The subjects of the mails, one for each run. */
    List<String> subjects() {
        return database.column("SELECT message FROM run").stream()
                .flatMap(MailRuns::subjects)
                .toList();
    }

    /** Waits for {@code count} runs that have ended. */
    void await(int count, Duration longest) {
        Awaitility.await(count + " runs").atMost(longest).until(() -> database.column(
                        "SELECT count(*) FROM run WHERE finished_at IS NOT NULL")
                .equals(List.of(Integer.toString(count))));
    }

    /** When each mail was accepted, by its subject. */
    Map<String, Instant> accepted() {
        return database.column("SELECT accepted_at || ' ' || message FROM run").stream()
                .collect(Collectors.toMap(
                        run -> subjects(run).findFirst().orElse(""),
                        run -> Instant.ofEpochMilli(Long.parseLong(run.substring(0, run.indexOf(' '))))));
    }

    private static Stream<String> subjects(String message) {
        return SUBJECT.matcher(message).results().limit(1).map(subject -> subject.group(1));
    }
}
