package dev.postern.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.MappingFixture.MappingBuilder;
import dev.postern.model.DeliveryMark;
import dev.postern.model.HookAction;
import dev.postern.model.HookResult.Nothing;
import dev.postern.model.NothingReason;
import dev.postern.model.Recipient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceFilterTest {

    private static final String MARKED = "Done. <!-- postern:dlv_01m8.1 -->";
    private static final String COMMENT = DeliveryMark.uuid("dlv_01m8.1").toString();

    private final MappingFixture replying = MappingFixture.of(mapping().ownAccount("My-Bot"));
    private final MappingFixture plain = MappingFixture.of(mapping());

    private static MappingBuilder mapping() {
        return MappingFixture.agent("a", "${payload.text}")
                .text(TextField.CHANNEL, "github")
                .text(TextField.TO, "${payload.to}")
                .text(TextField.SOURCE_AUTHOR, "${payload.by}")
                .text(TextField.SOURCE_MARK, "${payload.mark}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"My-Bot", "my-bot", " MY-BOT"})
    void eventOfOwnAccountAsksForNothing(String author) {
        assertThat(result(replying, author, "x")).isEqualTo(new Nothing(NothingReason.OWN_ACCOUNT, null));
        assertThat(plain.actions("a", "{'by':'" + author + "','text':'t'}")).hasSize(1);
    }

    @Test
    void markWithDeliveryIsReportedWithItsId() {
        Nothing marked = new Nothing(NothingReason.OTHER_POSTERN, "dlv_01m8");

        assertThat(result(replying, "ada", MARKED)).isEqualTo(marked);
        assertThat(result(replying, "my-bot", MARKED)).isEqualTo(marked);
        assertThat(result(plain, "ada", MARKED)).isEqualTo(marked);
    }

    @Test
    void accountTellsWhoseCommentWithoutDeliveryIs() {
        assertThat(result(replying, "ada", COMMENT)).isEqualTo(new Nothing(NothingReason.OTHER_POSTERN, null));
        assertThat(result(replying, "my-bot", COMMENT)).isEqualTo(new Nothing(NothingReason.OWN_ACCOUNT, null));
        assertThat(result(plain, "ada", COMMENT)).isEqualTo(new Nothing(NothingReason.OWN_DELIVERY, null));
    }

    @Test
    void eventOfOthersIsAnsweredWhereItHappened() {
        HookAction.AgentTurn turn = (HookAction.AgentTurn)
                replying.actions("a", "{'by':'ada','text':'t','to':'a/b#1'}").get(0);

        assertThat(turn.channel()).isEqualTo("github");
        assertThat(turn.to()).isEqualTo("a/b#1");
    }

    @Test
    void eventWithoutPlaceNamesNoChannel() {
        HookAction.AgentTurn turn = (HookAction.AgentTurn)
                replying.actions("a", "{'by':'ada','text':'t'}").get(0);

        assertThat(turn.channel()).isEqualTo(Recipient.LAST);
        assertThat(turn.to()).isNull();
    }

    @Test
    void onlyElementsOfOthersOfListAreTaken() {
        MappingFixture each = MappingFixture.of(MappingFixture.agent("a", "${item.text}")
                .text(TextField.SOURCE_AUTHOR, "${item.by}")
                .forEach("list")
                .ownAccount("me"));

        assertThat(each.actions("a", "{'list':[{'by':'me','text':'1'},{'by':'ada','text':'2'}]}"))
                .hasSize(1);
        assertThat(MappingFixture.result(each.map("a", "{'list':[{'by':'me','text':'1'}]}")))
                .isEqualTo(new Nothing(NothingReason.OWN_ACCOUNT, null));
    }

    @Test
    void replyThatMayGoNowhereElseIsNotDelivered() {
        MappingFixture mails = MappingFixture.of(MappingFixture.agent("a", "${payload.text}")
                .text(TextField.CHANNEL, "mail")
                .text(TextField.TO, "${(payload.to)!\"\"}")
                .ownAccount("me@example.com")
                .onlyToSource());
        HookAction.AgentTurn without =
                (HookAction.AgentTurn) mails.actions("a", "{'text':'t'}").get(0);
        HookAction.AgentTurn with = (HookAction.AgentTurn)
                mails.actions("a", "{'text':'t','to':'ann@example.org'}").get(0);

        assertThat(without.deliver()).isFalse();
        assertThat(with.deliver()).isTrue();
        assertThat(with.to()).isEqualTo("ann@example.org");
    }

    @Test
    void reasonIsKeptForListOfMarkedElementsAlone() {
        MappingFixture each = MappingFixture.of(MappingFixture.agent("a", "${item.text}")
                .text(TextField.SOURCE_MARK, "${item.mark}")
                .forEach("list"));

        assertThat(MappingFixture.result(each.map("a", "{'list':[{'mark':'" + MARKED + "','text':'1'}]}")))
                .isEqualTo(new Nothing(NothingReason.OTHER_POSTERN, "dlv_01m8"));
    }

    private static Object result(MappingFixture mappings, String author, String mark) {
        return MappingFixture.result(
                mappings.map("a", "{'by':'" + author + "','text':'t','mark':'" + mark + "','to':'a/b#1'}"));
    }
}
