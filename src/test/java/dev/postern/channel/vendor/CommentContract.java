package dev.postern.channel.vendor;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.postern.channel.Channel.Message;
import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Sent;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.config.Settings;
import dev.postern.model.RunState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tests of every channel that hides an id in its comments and lists the comments before a repeat. */
abstract class CommentContract extends VendorContract {

    /** Number of comments on a full page. */
    private static final int PAGE = 50;

    @Override
    Map<String, String> options() {
        return new HashMap<>(Map.of("allowMentions", "false"));
    }

    /** Whether the newest comments come first, so that a search may end before the last one. */
    boolean newestFirst() {
        return false;
    }

    /** A message that an earlier attempt may have sent. */
    final Message repeat() {
        return new Message("dlv_1", "run_1", RunState.SUCCEEDED, "main", to(), CREATED, 2, 3, TEXT, true);
    }

    /** Makes the server respond to a list of comments with {@code answer}. */
    final void list(ResponseDefinitionBuilder answer) {
        server.stubFor(WireMock.get(anyUrl()).willReturn(answer));
    }

    /** A page of {@code number} comments of others, and one more with {@code body}. */
    private static String page(int number, String body) {
        ArrayNode page = VendorFile.JSON.createArrayNode();
        for (int i = 0; i < number; i++) {
            page.addObject().put("id", i + 1).put("body", "<!-- postern:dlv_1.1 --> postern:dlv_1.2");
        }
        page.addObject().put("id", 4711).put("body", body);
        return page.toString();
    }

    private List<RequestMethod> methods() {
        return requests().stream().map(LoggedRequest::getMethod).toList();
    }

    @Override
    final boolean limitsAccount() {
        return true;
    }

    @Test
    void hidesTheIdOfThePartBehindTheText() throws Exception {
        answer(file.ok(operation()).answer());
        var unused = send();

        assertThat(body(0).path("body").textValue()).isEqualTo(TEXT + "\n\n<!-- postern:dlv_1.2 -->");
        assertThat(methods()).containsExactly(RequestMethod.POST);
    }

    @Test
    void makesNoSecondCommentAfterALostAnswer() throws Exception {
        server.resetAll();
        server.stubFor(any(anyUrl()).willReturn(aResponse().withFault(Fault.EMPTY_RESPONSE)));
        assertThat(send()).isInstanceOf(Unsure.class);
        String taken = body(0).path("body").textValue();

        list(okJson(page(3, taken)));
        assertThat(channel().send(repeat())).isEqualTo(new Sent("4711"));
        assertThat(methods()).containsExactly(RequestMethod.POST, RequestMethod.GET);
    }

    @Test
    void commentsIfNoAttemptHasLeftOne() {
        answer(file.ok(operation()).answer());
        list(okJson(page(3, "of another: <!-- postern:dlv_2.2 -->")));

        assertThat(channel().send(repeat())).isInstanceOf(Sent.class);
        assertThat(methods()).containsExactly(RequestMethod.GET, RequestMethod.POST);
    }

    @Test
    void looksOnFurtherPages() {
        answer(file.ok(operation()).answer());
        list(okJson(page(PAGE - 1, "a full page")));
        server.stubFor(WireMock.get(anyUrl())
                .withQueryParam("page", WireMock.equalTo("2"))
                .willReturn(okJson(page(0, "<!-- postern:dlv_1.2 -->"))));

        assertThat(channel().send(repeat())).isEqualTo(new Sent("4711"));
        assertThat(methods()).containsExactly(RequestMethod.GET, RequestMethod.GET);
    }

    @Test
    void looksBehindAPageThatIsNotFull() {
        answer(file.ok(operation()).answer());
        list(okJson(page(2, "a page from which some are withheld"))
                .withHeader("Link", "<" + url() + path() + "?page=2>; rel=\"next\", <" + url() + ">; rel=\"last\""));
        server.stubFor(WireMock.get(anyUrl())
                .withQueryParam("page", WireMock.equalTo("2"))
                .willReturn(okJson(page(0, "<!-- postern:dlv_1.2 -->"))
                        .withHeader("Link", "<" + url() + ">; rel=\"prev\"")));

        assertThat(channel().send(repeat())).isEqualTo(new Sent("4711"));
        assertThat(methods()).containsExactly(RequestMethod.GET, RequestMethod.GET);
    }

    @Test
    void looksThroughThousandCommentsAtMost() {
        answer(file.ok(operation()).answer());
        list(okJson(page(PAGE - 1, "a full page")));
        Outcome outcome = channel().send(repeat());

        assertThat(methods().subList(0, 20)).containsOnly(RequestMethod.GET);
        if (newestFirst()) {
            assertThat(outcome).isInstanceOf(Sent.class);
            assertThat(methods().subList(20, methods().size())).containsExactly(RequestMethod.POST);
        } else {
            assertThat(reason(outcome)).contains("too many comments");
            assertThat(methods()).hasSize(20);
        }
    }

    @Test
    void commentsNotIfItCanNotLook() {
        answer(file.ok(operation()).answer());
        list(status(503).withHeader("Retry-After", "7"));
        assertThat(((Later) channel().send(repeat())).pause()).hasSeconds(7);

        list(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));
        assertThat(channel().send(repeat())).isInstanceOf(Later.class);

        list(status(401));
        assertThat(channel().send(repeat())).isInstanceOf(Refused.class);

        list(okJson("{}"));
        assertThat(channel().send(repeat())).isInstanceOf(Unsure.class);
        assertThat(methods()).containsOnly(RequestMethod.GET);
    }

    @Test
    void mentionsNobodyUnlessTheOperatorAllowsIt() {
        assertThat(channel().parts("@ops see #12").get(0)).isEqualTo("@\u200Bops see #\u200B12");

        ChannelEntry entry = entry(url());
        Map<String, String> allowing = new HashMap<>(entry.settings().options());
        allowing.put("allowMentions", "true");
        ChannelEntry allowed = new ChannelEntry(
                new Settings.Channel("ops", kind(), allowing, entry.settings().secrets()));
        assertThat(channel(allowed).parts("@ops see #12").get(0)).isEqualTo("@ops see #12");
    }
}
