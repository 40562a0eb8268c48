package dev.postern.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.DeliveryState;
import dev.postern.model.DeliveryView;
import dev.postern.model.ErrorCode;
import dev.postern.model.HookResult;
import dev.postern.model.NothingReason;
import dev.postern.model.Receipt;
import dev.postern.model.Recipient;
import dev.postern.model.Rejection;
import dev.postern.model.RunId;
import dev.postern.model.RunLookup;
import dev.postern.model.RunState;
import dev.postern.model.RunView;
import dev.postern.model.SessionKey;
import jakarta.ws.rs.core.Response;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A check that every result has a response: it shows when a case is added to a sealed type and forgotten here. */
class ResultResponsesTest {

    private static final RunId RUN = new RunId("run_1");
    private static final SessionKey KEY = new SessionKey("hook:a");
    private static final Instant THEN = Instant.EPOCH;

    /** A sample value for each type of a record's component; the number is also a status. */
    private static final Map<Class<?>, Object> SAMPLES = Map.of(
            Boolean.class,
            false,
            Integer.class,
            201,
            String.class,
            "A sentence.",
            Duration.class,
            Duration.ofSeconds(1),
            Throwable.class,
            new IllegalStateException(),
            List.class,
            List.of(new Receipt.Run(RUN, KEY)),
            NothingReason.class,
            NothingReason.OTHER_POSTERN,
            Rejection.class,
            Rejection.invalid(null, "A sentence."),
            RunView.class,
            new RunView(
                    /* id= */ RUN,
                    /* state= */ RunState.QUEUED,
                    /* agentId= */ "main",
                    /* sessionKey= */ KEY,
                    /* sender= */ null,
                    /* model= */ "offline/echo",
                    /* askedModel= */ null,
                    /* attempts= */ 0,
                    /* acceptedAt= */ THEN,
                    /* startedAt= */ null,
                    /* finishedAt= */ null,
                    /* reply= */ null,
                    /* error= */ null,
                    /* retryAt= */ null,
                    /* retryReason= */ null,
                    /* waits= */ 0,
                    /* heldBy= */ null,
                    /* collectingUntil= */ null,
                    /* items= */ 1,
                    /* traceId= */ null,
                    /* turn= */ null,
                    /* delivery= */ DeliveryState.NONE,
                    /* deliveries= */ List.of()),
            DeliveryView.class,
            new DeliveryView(
                    /* id= */ "dlv_1",
                    /* state= */ DeliveryState.PENDING,
                    /* sender= */ null,
                    /* recipient= */ new Recipient("inbox", null),
                    /* attempts= */ 0,
                    /* acceptedAt= */ THEN,
                    /* nextAt= */ null,
                    /* finishedAt= */ null,
                    /* collectingUntil= */ null,
                    /* items= */ 1,
                    /* parts= */ 0,
                    /* sentParts= */ 0,
                    /* messageIds= */ List.of(),
                    /* reason= */ null));

    private final ResultResponses resultResponses =
            new ResultResponses("/hooks", ResponseRecorderFixture.newRecorder());

    @ParameterizedTest
    @MethodSource("outcomes")
    void hasAResponseToEveryResult(HookResult outcome) {
        assertThat(resultResponses.of(outcome).getStatus()).isBetween(200, 503);
    }

    @ParameterizedTest
    @MethodSource("lookups")
    void hasAResponseToEveryLookup(RunLookup lookup) {
        assertThat(resultResponses.of(lookup, "run_1").getStatus()).isIn(200, 404, 503);
    }

    @ParameterizedTest
    @CsvSource({"run_1, No run has this id.", "dlv_1, No delivery without an agent has this id."})
    void namesTheKindOfAnUnknownId(String id, String sentence) {
        Response response = resultResponses.of(new RunLookup.Unknown(), id);

        assertThat(response.getStatus()).isEqualTo(404);
        assertThat(((ErrorBody) response.getEntity()).error()).isEqualTo(sentence);
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void hasACodeForEveryReasonToReject(ErrorCode reason) {
        Rejection rejection = new Rejection(reason, null, "A sentence.");

        assertThat(resultResponses.of(new HookResult.Rejected(rejection)).getStatus())
                .isEqualTo(reason.status());
    }

    static Stream<HookResult> outcomes() {
        return cases(HookResult.class);
    }

    static Stream<RunLookup> lookups() {
        return cases(RunLookup.class);
    }

    static Stream<ErrorCode> reasons() {
        return Arrays.stream(ErrorCode.values());
    }

    private static <T> Stream<T> cases(Class<T> sealed) {
        return records(sealed).map(ResultResponsesTest::sample).map(sealed::cast);
    }

    /** The records of a sealed type, whose cases may be sealed types themselves. */
    static Stream<Class<?>> records(Class<?> sealed) {
        return Arrays.<Class<?>>stream(sealed.getPermittedSubclasses())
                .flatMap(type -> type.isRecord() ? Stream.of(type) : records(type));
    }

    private static Object sample(Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Arrays.stream(types)
                .map(type -> MethodType.methodType(type).wrap().returnType())
                .map(type -> Objects.requireNonNull(SAMPLES.get(type), () -> "no sample of " + type))
                .toArray();
        try {
            return record.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no " + record + " can be made", e);
        }
    }
}
