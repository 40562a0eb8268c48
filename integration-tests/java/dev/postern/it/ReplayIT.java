package dev.postern.it;

import static dev.postern.it.ResponseAssert.assertThatResponse;
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
class ReplayIT extends DeploymentFixture {

    @Deployment(testable = false)
    static WebArchive postern() {
        List<String> settings = new ArrayList<>(SigningSender.settings());
        settings.add("throttle: {failures: 1000}");
        DeploymentHome home = DeploymentHome.with("replay", settings);
        SigningSender.prepare(home);
        return home.war();
    }

    @ParameterizedTest
    @EnumSource
    void doesOnceWhatComesAgainByteForByte(SigningSender sender) {
        Delivery delivery = sender.delivery(id(), Instant.now(), 1);
        RawResponse first = first(delivery);
        long before = metrics().accepted();

        assertRepetition(first, send(delivery));
        assertRepetition(first, send(delivery));

        assertThat(metrics().accepted()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void doesOnceWhatComesAgainUnderAnotherName(SigningSender sender) {
        Delivery delivery = sender.delivery(id(), Instant.now(), 1);
        RawResponse first = first(delivery);
        long before = metrics().accepted();

        for (Delivery other : delivery.withUnsignedPartsChanged()) {
            assertRepetition(first, send(other));
        }

        assertThat(metrics().accepted()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void refusesASignedTimeThatIsLongAgoAndDoesOnceWhatHasNone(SigningSender sender) {
        Delivery old = sender.delivery(id(), Instant.now().minus(Duration.ofMinutes(10)), 1);
        long before = metrics().accepted();

        for (Delivery delivery : new Delivery[] {old, old, old.without()}) {
            RawResponse rawResponse = send(delivery);
            if (sender.signsTheTime()) {
                assertThatResponse(rawResponse).isError(401, "signature_invalid");
            } else {
                assertThat(rawResponse.status()).isBetween(200, 202);
            }
        }

        assertThat(metrics().accepted() - before).isEqualTo(sender.signsTheTime() ? 0 : 1);
    }

    @ParameterizedTest
    @EnumSource
    void takesAnotherBodyUnderTheSendersIdForARepetition(SigningSender sender) {
        String id = id();
        Delivery anew = sender.delivery(id, Instant.now(), 2);
        RawResponse first = first(sender.delivery(id, Instant.now().minusSeconds(1), 1));
        long before = metrics().accepted();

        if (sender.namesItsDeliveries()) {
            assertRepetition(first, send(anew));
            for (Delivery other : anew.withUnsignedPartsChanged()) {
                assertRepetition(first, send(other));
            }
        } else {
            assertThatResponse(send(anew)).hasNoHeader("Idempotent-Replayed");
        }

        assertThat(metrics().accepted() - before).isEqualTo(sender.namesItsDeliveries() ? 0 : 1);
    }

    @Test
    void leavesTheNameUnusedThatARepetitionCameUnder() {
        Delivery caught = SigningSender.GITHUB.delivery(id(), Instant.now(), 1);
        String next = id();
        RawResponse first = first(caught);
        assertRepetition(first, send(caught.with("X-Delivery", next)));

        first(SigningSender.GITHUB.delivery(next, Instant.now(), 1));
    }

    @Test
    void refusesOtherContentUnderAKeyThatAClientChose() {
        String key = id();
        first(SigningSender.GITHUB.delivery(id(), Instant.now(), 1).with("Idempotency-Key", key));

        RawResponse rawResponse =
                send(SigningSender.GITHUB.delivery(id(), Instant.now(), 1).with("Idempotency-Key", key));

        assertThatResponse(rawResponse).isError(422, "idempotency_conflict");
    }

    @Test
    void doesAgainWhatComesWithTheTokenAsWell() {
        Delivery delivery =
                SigningSender.GITHUB.delivery(id(), Instant.now(), 1).without();

        for (int i = 0; i < 2; i++) {
            assertThatResponse(request(delivery).bearer(token()).send())
                    .isOk(202)
                    .hasNoHeader("Idempotent-Replayed");
        }
    }

    private RawResponse first(Delivery delivery) {
        RawResponse rawResponse = send(delivery);
        assertThat(rawResponse.status()).as("%s", rawResponse).isBetween(200, 202);
        assertThatResponse(rawResponse).hasNoHeader("Idempotent-Replayed");
        return rawResponse;
    }

    private static void assertRepetition(RawResponse first, RawResponse again) {
        assertThatResponse(again).isOk(first.status()).hasHeader("Idempotent-Replayed", "true");
        assertThat(again.body()).isEqualTo(first.body());
    }

    private RawResponse send(Delivery delivery) {
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
