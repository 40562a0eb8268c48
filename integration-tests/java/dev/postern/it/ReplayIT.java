package dev.postern.it;

import static dev.postern.it.AnswerAssert.assertThatAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.it.SigningSender.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test that a signed delivery acts once, even if somebody else repeats it or gives it another id. */
class ReplayIT extends OnServer {

    @Deployment(testable = false)
    static WebArchive postern() {
        List<String> settings = new ArrayList<>(SigningSender.settings());
        settings.add("throttle: {failures: 1000}");
        Home home = Home.with("replay", settings);
        SigningSender.prepare(home);
        return home.war();
    }

    @ParameterizedTest
    @EnumSource
    void doesOnceWhatComesAgainByteForByte(SigningSender sender) {
        Delivery delivery = sender.delivery(id(), Instant.now(), 1);
        Answer first = first(delivery);
        long before = figures().accepted();

        assertRepetition(first, send(delivery));
        assertRepetition(first, send(delivery));

        assertThat(figures().accepted()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void doesOnceWhatComesAgainUnderAnotherName(SigningSender sender) {
        Delivery delivery = sender.delivery(id(), Instant.now(), 1);
        Answer first = first(delivery);
        long before = figures().accepted();

        for (Delivery other : delivery.calledOtherwise()) {
            assertRepetition(first, send(other));
        }

        assertThat(figures().accepted()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignedTimeThatIsLongAgoAndDoesOnceWhatHasNone(SigningSender sender) {
        Delivery old = sender.delivery(id(), Instant.now().minus(Duration.ofMinutes(10)), 1);
        long before = figures().accepted();

        for (Delivery delivery : new Delivery[] {old, old, old.without()}) {
            Answer answer = send(delivery);
            if (sender.signsTheTime()) {
                assertThatAnswer(answer).isError(401, "signature_invalid");
            } else {
                assertThat(answer.status()).isBetween(200, 202);
            }
        }

        assertThat(figures().accepted() - before).isEqualTo(sender.signsTheTime() ? 0 : 1);
    }

    @ParameterizedTest
    @EnumSource
    void takesAnotherBodyUnderTheSendersIdForARepetition(SigningSender sender) {
        String id = id();
        Delivery anew = sender.delivery(id, Instant.now(), 2);
        Answer first = first(sender.delivery(id, Instant.now().minusSeconds(1), 1));
        long before = figures().accepted();

        if (sender.namesItsDeliveries()) {
            assertRepetition(first, send(anew));
            for (Delivery other : anew.calledOtherwise()) {
                assertRepetition(first, send(other));
            }
        } else {
            assertThatAnswer(send(anew)).hasNoHeader("Idempotent-Replayed");
        }

        assertThat(figures().accepted() - before).isEqualTo(sender.namesItsDeliveries() ? 0 : 1);
    }

    @Test
    void leavesTheNameUnusedThatARepetitionCameUnder() {
        Delivery caught = SigningSender.GITHUB.delivery(id(), Instant.now(), 1);
        String next = id();
        Answer first = first(caught);
        assertRepetition(first, send(caught.with("X-Delivery", next)));

        first(SigningSender.GITHUB.delivery(next, Instant.now(), 1));
    }

    @Test
    void refusesOtherContentUnderAKeyThatAClientChose() {
        String key = id();
        first(SigningSender.GITHUB.delivery(id(), Instant.now(), 1).with("Idempotency-Key", key));

        Answer answer =
                send(SigningSender.GITHUB.delivery(id(), Instant.now(), 1).with("Idempotency-Key", key));

        assertThatAnswer(answer).isError(422, "idempotency_conflict");
    }

    @Test
    void doesAgainWhatComesWithTheTokenAsWell() {
        Delivery delivery =
                SigningSender.GITHUB.delivery(id(), Instant.now(), 1).without();

        for (int i = 0; i < 2; i++) {
            assertThatAnswer(request(delivery).bearer(token()).send()).isOk(202).hasNoHeader("Idempotent-Replayed");
        }
    }

    private Answer first(Delivery delivery) {
        Answer answer = send(delivery);
        assertThat(answer.status()).as("%s", answer).isBetween(200, 202);
        assertThatAnswer(answer).hasNoHeader("Idempotent-Replayed");
        return answer;
    }

    private static void assertRepetition(Answer first, Answer again) {
        assertThatAnswer(again).isOk(first.status()).hasHeader("Idempotent-Replayed", "true");
        assertThat(again.body()).isEqualTo(first.body());
    }

    private Answer send(Delivery delivery) {
        return request(delivery).send();
    }

    private Request request(Delivery delivery) {
        Request request = to(delivery.path()).method("POST", delivery.body());
        delivery.signature().forEach(request::header);
        delivery.unsigned().forEach(request::header);
        return request;
    }

    private static String id() {
        return "d-" + UUID.randomUUID();
    }
}
