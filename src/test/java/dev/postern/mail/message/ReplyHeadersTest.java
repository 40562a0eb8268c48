package dev.postern.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyHeadersTest {

    private static final String ACCOUNT = "desk@example.com";
    private static final String FROM_ANN = "From: Ann <ann@example.org>\nMessage-ID: <2@example.org>\nSubject: Lunch\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Auto-Submitted: auto-replied",
                "Auto-Submitted: auto-generated; owner-email=\"a@b\"",
                "Auto-Submitted: no\nAuto-Submitted: auto-replied",
                "List-Id: <list.example.org>",
                "List-Unsubscribe: <https://example.org/u>",
                "List-Post: NO",
                "Precedence: bulk",
                "precedence: List",
                "Precedence: junk",
                "Precedence: bulk\nPrecedence: first-class",
                "Precedence: first-class\nPrecedence: list",
                "Precedence: first-class, bulk",
                "Precedence: (not closed\nPrecedence: bulk",
                "X-Auto-Response-Suppress: All",
                "X-Auto-Response-Suppress: DR, OOF",
                "X-Auto-Response-Suppress: None\nX-Auto-Response-Suppress: OOF",
                "X-Autoreply: yes",
                "Return-Path: <>",
                "Return-Path: < >",
                "Return-Path: <MAILER-DAEMON@example.org>",
                "Return-Path: <ann@example.org>\nReturn-Path: <>",
                "Return-Path: <>\nReturn-Path: <ann@example.org>",
                "Return-Path: <ann@example.org>\nReturn-Path: <MAILER-DAEMON@example.org>",
                "Content-Type: multipart/report; report-type=delivery-status; boundary=x",
                "Content-Type: text/plain\nContent-Type: multipart/report; boundary=x",
                "Reply-To: desk@example.com",
                "Reply-To: ann@example.org, bob@example.org",
                "Reply-To: friends: ann@example.org;",
                "Reply-To: \"ann b\"@example.org",
                "Reply-To: no-reply@example.org",
                "X-Postern-Delivery: dlv_01.1"
            })
    void programsDoNotAnswerWhatProgramsAndListsSend(String header) throws Exception {
        JsonNode reply = reply(FROM_ANN + header);

        assertThat(reply.path("answerable").booleanValue()).isFalse();
        assertThat(reply.has("to")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "From: ",
                "From: Desk <Desk@example.com>",
                "From: MAILER-DAEMON@example.org",
                "From: Postmaster <postmaster@example.org>",
                "From: dev-request@example.org",
                "From: ann@example.org, bob@example.org",
                "From: Ann <ann>",
                "From: ann@example.org/x"
            })
    void nobodyAnswersWithoutOnePersonToAnswer(String from) throws Exception {
        assertThat(reply(from + "\nSubject: x").path("answerable").booleanValue())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Nothing: x",
                "Auto-Submitted: no",
                "Auto-Submitted: No (a person)",
                "Auto-Submitted: no (a person, no program)",
                "Auto-Submitted: no\nAuto-Submitted: no",
                "X-Auto-Response-Suppress: None",
                "Precedence: first-class",
                "Precedence: first-class\nPrecedence: special-delivery",
                "Return-Path: <ann@example.org>",
                "Return-Path: <ann@example.org>\nReturn-Path: <ann@example.org>",
                "Content-Type: text/plain"
            })
    void personGetsAnswerInThread(String header) throws Exception {
        JsonNode reply = reply(FROM_ANN + "References: <1@example.org>\n" + header);

        assertThat(reply.path("answerable").booleanValue()).isTrue();
        assertThat(reply.path("to").textValue()).isEqualTo("ann@example.org/<1@example.org><2@example.org>/Lunch");
        assertThat(reply.path("author").textValue()).isEqualTo("ann@example.org");
        assertThat(reply.has("mark")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "mallory@example.org (<boss@example.com>) → mallory@example.org",
                "\"Mallory\" <mallory@example.org> (<boss@example.com>) → mallory@example.org",
                "mallory@example.org (\"x\" <boss@example.com>) → mallory@example.org",
                "mallory(\\)<boss@example.com>)@example.org → mallory @example.org",
                "\"<boss@example.com>\" <mallory@example.org> → mallory@example.org",
                "\"a\\\" <boss@example.com>\" <mallory@example.org> → mallory@example.org",
                "<\"<boss@example.com>\"@example.org> → \"<boss@example.com>\"@example.org",
                "Mallory <\"<boss@example.com>\"@example.org> → \"<boss@example.com>\"@example.org",
            })
    void authorIsWhomTheServersHaveChecked(String from, String author) throws Exception {
        JsonNode reply = reply("From: " + from + "\nSubject: x");

        assertThat(reply.path("author").asText("")).isIn(author, "");
        assertThat(reply.path("address").asText("")).isIn(author, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<mallory@example.org> <boss@example.com>",
                "<mallory@example.org> boss@example.com",
                "mallory@example.org <boss@example.com",
                "mallory@example.org> <boss@example.com>",
                "\"mallory <boss@example.com>",
                "(mallory <boss@example.com>",
            })
    void nobodyIsTheAuthorWhereTheAddressIsUnclear(String from) throws Exception {
        JsonNode reply = reply("From: " + from + "\nSubject: x");

        assertThat(reply.path("answerable").booleanValue()).isFalse();
        assertThat(reply.has("to")).isFalse();
    }

    @Test
    void recipientThatNoChannelTakesIsNotNamed() throws Exception {
        JsonNode reply = reply(FROM_ANN.replace("example.org", "example.net"));

        assertThat(reply.path("answerable").booleanValue()).isTrue();
        assertThat(reply.has("to")).isFalse();
    }

    @Test
    void answerGoesToReplyTo() throws Exception {
        JsonNode reply = reply(FROM_ANN + "Reply-To: Ann (at home) <home@example.org>\nIn-Reply-To: <1@example.org>");

        assertThat(reply.path("address").textValue()).isEqualTo("home@example.org");
        assertThat(reply.path("author").textValue()).isEqualTo("ann@example.org");
        assertThat(reply.path("references").textValue()).isEqualTo("<1@example.org><2@example.org>");
    }

    @Test
    void longThreadKeepsItsFirstAndItsLastMails() throws Exception {
        String all = IntStream.range(0, 500).mapToObj(i -> "<t" + i + "@x>").collect(Collectors.joining("\n "));
        String references =
                reply(FROM_ANN + "References: " + all).path("references").textValue();

        assertThat(references).startsWith("<t0@x><t492@x>").endsWith("<t499@x><2@example.org>");
    }

    @Test
    void threadOfLongIdsKeepsWhatARecipientHasRoomFor() throws Exception {
        String filler = "i".repeat(240);
        String all =
                IntStream.range(0, 9).mapToObj(i -> "<" + i + filler + "@x>").collect(Collectors.joining(" "));
        String references =
                reply(FROM_ANN + "References: " + all).path("references").textValue();

        assertThat(references).startsWith("<0i").contains("<7i", "<8i").endsWith("<2@example.org>");
        assertThat(references).hasSizeLessThanOrEqualTo(900).doesNotContain("<6i");
    }

    @ParameterizedTest
    @CsvSource({"dlv_01m8.2, postern:dlv_01m8.2", "dlv_01M8, ", "x dlv_01m8.2, "})
    void mailOfAPosternIsMarked(String delivery, String mark) throws Exception {
        JsonNode reply = reply(FROM_ANN + "X-Postern-Delivery: " + delivery);

        assertThat(reply.path("mark").textValue()).isEqualTo(mark);
        assertThat(reply.path("answerable").booleanValue()).isFalse();
    }

    private static JsonNode reply(String headers) throws Exception {
        MailReader reader = new MailReader(ACCOUNT, true, 20_000, to -> to.startsWith("ann@example.org/"));
        byte[] mail = (headers.strip() + "\n\nNoon?\n").replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        MailHookPayload read =
                reader.read(MailFiles.message(mail), new ServerMetadata("7-1", null, null, List.of("INBOX")));
        return new JsonMapper()
                .readTree(read.payload())
                .path("messages")
                .path(0)
                .path("reply");
    }
}
