package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.it.InputCounter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A fuzz target of replies in the language of each channel, in parts. An input is the Markdown of a reply. */
@Tag("fuzz")
class MessagePartsFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("replies");

    private static final int LIMIT = 100;
    private static final int NO_LIMIT = 1_000_000;

    /** The most characters of all parts for each character of a reply, beside those of one part. */
    private static final int GROWTH = 50;

    @FuzzTest
    void keepsToTheLimitAndLosesNothing(byte[] bytes) {
        INPUTS.increment();
        String reply = new String(bytes, StandardCharsets.UTF_8);
        for (MarkupLanguage markup : MarkupLanguage.values()) {
            List<String> parts = MessageParts.of(reply, markup, LIMIT);
            assertThat(parts)
                    .as("%s", markup)
                    .isNotEmpty()
                    .allSatisfy(part -> assertThat(part).hasSizeLessThanOrEqualTo(LIMIT))
                    .isEqualTo(MessageParts.of(reply, markup, LIMIT));
            assertThat(parts.stream().mapToInt(String::length).sum())
                    .as("%s", markup)
                    .isLessThanOrEqualTo(LIMIT + GROWTH * reply.length());
            if (markup == MarkupLanguage.TELEGRAM) {
                parts.forEach(MessagePartsPropertyTest::xml);
            }
        }
        assertThat(read(reply, LIMIT)).isEqualTo(read(reply, NO_LIMIT));
        assertThat(MessagePartsPropertyTest.readWithFiles(MarkupLanguage.PLAIN, reply, LIMIT))
                .isEqualTo(read(reply, NO_LIMIT));
    }

    private static String read(String reply, int limit) {
        return MessagePartsPropertyTest.read(MarkupLanguage.PLAIN, MessageParts.of(reply, MarkupLanguage.PLAIN, limit));
    }
}
