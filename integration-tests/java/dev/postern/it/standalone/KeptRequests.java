package dev.postern.it.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.it.standalone.BurstLoad.SentRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A check that a database has the requests of a {@link BurstLoad} that were answered, and nothing by halves. */
final class KeptRequests {

    private static final String ACTIONS = "SELECT id || ' ' || text FROM (" + BurstLoad.TEXTS + ")";

    /** Runs that are in no session, and don't collect requests either. */
    private static final String RUNS_WITHOUT_SESSION =
            """
            SELECT id FROM run WHERE session_key NOT IN (SELECT key FROM session)
            AND id NOT IN (SELECT action_id FROM request_group)""";

    private static final Pattern ID = Pattern.compile("(?:run|evt)_[0-9a-z]+");
    private static final Pattern NUMBER = Pattern.compile("text ([0-9]+)\\.");

    private final BurstLoad load;
    /** The answered requests by their texts. */
    private final Map<String, SentRequest> sent = new HashMap<>();

    private final Set<String> answered = new LinkedHashSet<>();

    /** A run or wake event, with one of its texts. */
    private record Action(String id, String text) {

        static Action of(String idAndText) {
            int space = idAndText.indexOf(' ');
            return new Action(idAndText.substring(0, space), idAndText.substring(space + 1));
        }
    }

    /** @param load that is over */
    KeptRequests(BurstLoad load) {
        this.load = load;
        load.answered().forEach(each -> sent.put(each.text(), each));
    }

    /** Notes that the run or event {@code id} was answered. */
    void add(String id) {
        answered.add(id);
    }

    Set<String> answered() {
        return answered;
    }

    /** The last answered run, or none. */
    List<String> newestRun() {
        List<String> runs =
                answered.stream().filter(id -> id.startsWith("run_")).toList();
        return runs.subList(Math.max(0, runs.size() - 1), runs.size());
    }

    /** @param moment what a failure says of the database */
    void check(String moment, Path data) {
        Path file = data.resolve("postern.db");
        if (answered.isEmpty() && !Files.exists(file)) {
            return;
        }
        assertThat(file).as(moment).exists();
        try (HomeDatabase database = HomeDatabase.open(file)) {
            assertThat(database.column("PRAGMA integrity_check")).as(moment).containsExactly("ok");
            boolean isEmpty = database.column("SELECT name FROM sqlite_master WHERE name = 'run'")
                    .isEmpty();
            List<Action> kept = isEmpty ? List.of() : actions(database);
            Set<String> ids = kept.stream().map(Action::id).collect(Collectors.toSet());
            assertThat(ids).as(moment + ": nothing is lost").containsAll(answered);
            kept.forEach(action -> assertThat(isSent(action))
                    .as(moment + ": " + action.id() + " was sent")
                    .isTrue());
            assertThat(kept)
                    .extracting(Action::text)
                    .as(moment + ": nothing is there twice")
                    .doesNotHaveDuplicates();
            if (!isEmpty) {
                Set<String> underKey = receipts(database);
                assertThat(ids)
                        .as(moment + ": no key is there without its action")
                        .containsAll(underKey);
                assertThat(underKey).as(moment + ": no key is lost").containsAll(answeredUnderKey());
                assertThat(database.column(RUNS_WITHOUT_SESSION)).as(moment).isEmpty();
            }
        }
    }

    private boolean isSent(Action action) {
        Matcher number = NUMBER.matcher(action.text());
        boolean isWhole = number.lookingAt()
                && Integer.parseInt(number.group(1)) <= load.count()
                && action.text().equals(load.text(Integer.parseInt(number.group(1))));
        SentRequest request = sent.get(action.text());
        return isWhole && (request == null || request.id().equals(action.id()));
    }

    /** The ids that were answered to requests under a key. Requests that share a run may have come later than its response. */
    private List<String> answeredUnderKey() {
        return sent.values().stream()
                .filter(request -> request.key() != null && !request.hook().equals("storm"))
                .map(SentRequest::id)
                .filter(answered::contains)
                .toList();
    }

    private static List<Action> actions(HomeDatabase database) {
        return database.column(ACTIONS).stream().map(Action::of).toList();
    }

    private static Set<String> receipts(HomeDatabase database) {
        Set<String> ids = new HashSet<>();
        for (String receipts : database.column("SELECT receipts FROM idempotency")) {
            ID.matcher(receipts).results().forEach(id -> ids.add(id.group()));
        }
        return ids;
    }
}
