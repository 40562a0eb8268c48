package dev.postern.it.standalone;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.postern.agent.MarkerOracle;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test that nothing in a mail passes for the end of untrusted content, nor for a model's own tokens. */
class MailAttacksIT {

    private static final Gson GSON = new Gson();
    private static final String REPLY = PeerServersExtension.reply("Fine.", "stop");

    @RegisterExtension
    static final PeerServersExtension PEERS = new PeerServersExtension();

    @RegisterExtension
    final HomeFixtureExtension homeFixtureExtension = HomeFixtureExtension.ofTest();

    @RegisterExtension
    final MailServer mails = new MailServer();

    @Test
    void keepsSubjectSenderAndTextWithinOneBoundary() throws Exception {
        PEERS.stubFor(post(PeerServersExtension.CHAT).willReturn(okJson(REPLY)));
        HomeFixture home = homeFixtureExtension
                .newHome()
                .settings(
                        MailServer.watched(mails.port(), MailServer.withPassword()),
                        "agents: {defaults: {model: lab/large}}",
                        PEERS.provider());
        PosternProcess postern = home.start();
        MailRuns.awaitWatched(postern);
        List<String> attacks = attacks();
        for (String attack : attacks) {
            mails.deliver(new TestMail(TestMail.newId(), attack, attack, attack));
        }
        try (HomeDatabase database = home.database()) {
            new MailRuns(database).await(attacks.size(), Duration.ofSeconds(60));
        }
        assertThat(postern.stop()).isZero();

        MarkerOracle oracle = new MarkerOracle();
        List<String> turns = PEERS.chatRequests().stream()
                .map(MailAttacksIT::said)
                .filter(said -> said.contains("New mail from"))
                .toList();
        SoftAssertions softly = new SoftAssertions();
        softly.assertThat(turns).hasSize(attacks.size());
        for (String turn : turns) {
            softly.assertThat(oracle.openings(turn)).as(turn).isEqualTo(1);
            softly.assertThat(oracle.closings(turn)).as(turn).isEqualTo(1);
            softly.assertThat(oracle.tokens(turn)).as(turn).isEmpty();
        }
        softly.assertAll();
    }

    /** What the model was told last in the request that {@code asked} is. */
    private static String said(String asked) {
        JsonArray messages = GSON.fromJson(asked, JsonObject.class).getAsJsonArray("messages");
        JsonElement content =
                messages.get(messages.size() - 1).getAsJsonObject().get("content");
        return content.isJsonPrimitive()
                ? content.getAsString()
                : content.getAsJsonArray().get(0).getAsJsonObject().get("text").getAsString();
    }

    private static List<String> attacks() throws Exception {
        try (Reader file = new InputStreamReader(
                Objects.requireNonNull(MailAttacksIT.class.getResourceAsStream("/attacks/boundary-attacks.json")),
                StandardCharsets.UTF_8)) {
            List<String> texts = new ArrayList<>();
            for (JsonElement each : GSON.fromJson(file, JsonObject.class).getAsJsonArray("attacks")) {
                texts.add(text(each.getAsJsonObject()));
            }
            return texts;
        }
    }

    private static String text(JsonObject attack) {
        StringBuilder text = new StringBuilder();
        if (attack.has("text")) {
            text.append(attack.get("text").getAsString());
        }
        if (attack.has("parts")) {
            for (JsonElement part : attack.getAsJsonArray("parts")) {
                JsonArray repeated = part.getAsJsonArray();
                text.append(repeated.get(0).getAsString().repeat(repeated.get(1).getAsInt()));
            }
        }
        if (attack.has("fields")) {
            attack.getAsJsonObject("fields").asMap().values().forEach(field -> text.append(field.getAsString()));
        }
        return text.toString();
    }
}
