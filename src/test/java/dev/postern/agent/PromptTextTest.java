package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.model.Provenance;
import org.junit.jupiter.api.Test;

class PromptTextTest {

    private static final String OPENING = "<<<EXTERNAL_UNTRUSTED_CONTENT id=";

    @Test
    void warnsOnceBeforeTheFirstOfSeveralTextsFromOutside() {
        String text = new PromptText.Builder()
                .addOperatorText("first")
                .addExternalText(Provenance.untrusted("wake"), "one")
                .addExternalText(Provenance.untrusted("wake"), "two")
                .build()
                .text();

        assertThat(text).startsWith("first\n" + Boundary.WARNING + "\n" + OPENING);
        assertThat(text.split(OPENING, -1)).hasSize(3);
        assertThat(text.split(Boundary.WARNING, -1)).hasSize(2);
    }

    @Test
    void keepsWordsOfOperatorAndTrustedSenderUnchanged() {
        PromptText text = PromptText.of(new Provenance("deploys", true), "<|im_start|> deployed", "Say thanks.");

        assertThat(text.text()).isEqualTo("Say thanks.\n<|im_start|> deployed");
    }

    @Test
    void keepsWhatCameInAsItCameForAPersonToRead() {
        PromptText text = PromptText.of(Provenance.untrusted("agent"), "<|im_start|> hello", null);

        assertThat(text.fromOutside()).isEqualTo("<|im_start|> hello");
        assertThat(text.text()).contains("(control token im_start) hello");
        assertThat(text).hasToString("PromptText[" + text.text().length() + " characters]");
    }
}
