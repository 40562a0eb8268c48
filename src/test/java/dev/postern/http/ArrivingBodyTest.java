package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.access.BodyLimit;
import dev.postern.model.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivingBodyTest {

    private static final int PIECE = 8_192;
    private static final int MAX_BYTES = 104_857_600;

    @Test
    void refusesTheFirstByteTooMany() throws IOException {
        ArrivingBody body = new ArrivingBody(-1, limit(1_000), new BodyBudget(MAX_BYTES));

        readAll(body, 1_001);

        assertThat(body.error()).extracting(FixedErrorResponse::code).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 20_000})
    void takesAsMuchAsIsAllowed(int announced) throws IOException {
        ArrivingBody body = new ArrivingBody(announced, limit(20_000), new BodyBudget(MAX_BYTES));

        readAll(body, 20_000);

        assertThat(body.error()).isNull();
        assertThat(length(body)).isEqualTo(20_000);
    }

    @Test
    void holdsNothingForWhatIsOnlyAnnounced() throws IOException {
        ArrivingBody body = new ArrivingBody(MAX_BYTES, limit(MAX_BYTES), new BodyBudget(PIECE));

        assertThat(body.waitFor()).isNull();
        readAll(body, 10);

        assertThat(body.error()).isNull();
    }

    @Test
    void holdsAtMostTwiceOfWhatHasArrived() throws IOException {
        BodyBudget budget = new BodyBudget(16 * PIECE);
        ArrivingBody body = new ArrivingBody(MAX_BYTES, limit(MAX_BYTES), budget);
        assertThat(body.waitFor()).isNull();

        readAll(body, 8 * PIECE);
        assertThat(budget.take(8 * PIECE, true)).isTrue();
        readAll(body, 1);

        assertThat(body.error()).isSameAs(FixedErrorResponse.TOO_MANY_BODIES);
    }

    @Test
    void leavesHalfOfTheBudgetToKnownSenders() {
        BodyBudget all = new BodyBudget(4 * PIECE);
        BodyBudget strangers = all.half();

        assertThat(strangers.take(2 * PIECE, true)).isTrue();
        assertThat(strangers.take(1, true)).isFalse();
        assertThat(all.take(2 * PIECE, true)).isTrue();
        assertThat(all.take(1, true)).isFalse();

        strangers.giveBack(2 * PIECE);
        assertThat(all.take(2 * PIECE, true)).isTrue();
        assertThat(strangers.take(1, true)).isFalse();
    }

    @Test
    void leavesAQuarterOfTheBudgetToTheSmall() throws IOException {
        BodyBudget budget = new BodyBudget(8 * PIECE);
        ArrivingBody large = new ArrivingBody(MAX_BYTES, limit(MAX_BYTES), budget);
        ArrivingBody small = new ArrivingBody(PIECE, limit(MAX_BYTES), budget);
        assertThat(large.waitFor()).isNull();
        assertThat(small.waitFor()).isNull();
        readAll(large, 4 * PIECE);

        readAll(large, 1);
        readAll(small, PIECE);

        assertThat(large.error()).isSameAs(FixedErrorResponse.TOO_MANY_BODIES);
        assertThat(small.error()).isNull();
    }

    @Test
    void needsNoBudgetForASmallBodyThatNobodyWaitsFor() throws IOException {
        ArrivingBody body = new ArrivingBody(PIECE, limit(MAX_BYTES), new BodyBudget(0));

        readAll(body, PIECE);

        assertThat(body.isWhole()).isTrue();
        assertThat(length(body)).isEqualTo(PIECE);
    }

    @Test
    void isNotWaitedForWithoutBudgetForArrivedBytes() throws IOException {
        ArrivingBody body = new ArrivingBody(PIECE, limit(MAX_BYTES), new BodyBudget(PIECE - 1));

        readAll(body, 1);

        assertThat(body.waitFor()).isSameAs(FixedErrorResponse.TOO_MANY_BODIES);
    }

    @Test
    void givesTheBudgetBackOnceAndTakesNothingMore() throws IOException {
        BodyBudget budget = new BodyBudget(4 * PIECE);
        ArrivingBody body = new ArrivingBody(-1, limit(MAX_BYTES), budget);
        readAll(body, 2 * PIECE);
        assertThat(body.waitFor()).isNull();
        assertThat(budget.take(2 * PIECE + 1, true)).isFalse();

        body.release();
        body.release();
        readAll(body, 1);

        assertThat(body.error()).isSameAs(FixedErrorResponse.TOO_MANY_BODIES);
        assertThat(budget.take(4 * PIECE, true)).isTrue();
        assertThat(budget.take(1, true)).isFalse();
    }

    private static void readAll(ArrivingBody body, int bytes) throws IOException {
        ControlledInputStream in = new ControlledInputStream();
        in.arrive(bytes);
        boolean goesOn = true;
        while (goesOn && in.available() > 0) {
            goesOn = body.read(in);
        }
    }

    private static BodyLimit limit(int maxBytes) {
        return new BodyLimit(maxBytes, "", Duration.ofSeconds(30), "", true);
    }

    private static int length(ArrivingBody body) {
        int[] length = new int[1];
        body.handTo(bytes -> {
            length[0] = bytes.length;
            return FixedErrorResponse.NOT_FOUND;
        });
        return length[0];
    }
}
