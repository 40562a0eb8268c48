package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Tests of properties that hold for any reply, with random ones; {@code -Dparts.seed=N} repeats one. */
@Tag("long")
@Tag("computing")
class MessagePartsPropertyTest {

    private static final int[] LIMITS = {100, 333, 2000, 4096};

    /** Limits at which links have labels; shorter parts show the addresses instead. */
    private static final int[] WITH_LINKS = {333, 500, 2000};

    private static final Set<String> TAGS = Set.of("part", "b", "i", "s", "code", "pre", "a", "blockquote");
    private static final Pattern HIDDEN = Pattern.compile("[\\s\\p{Cf}\\p{Z}>]+");

    private static LongStream seeds() {
        Long one = Long.getLong("parts.seed");
        return one == null ? LongStream.range(0, 24) : LongStream.of(one);
    }

    private static RandomMarkdown.Text reply(long seed) {
        return RandomMarkdown.of(seed, 200 << (seed % 6), true);
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void keepsToTheLimitAndHasNoBlankPart(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            for (int limit : LIMITS) {
                assertThat(MessageParts.of(reply(seed).markdown(), markup, limit))
                        .as("seed %s, limit %s", seed, limit)
                        .isNotEmpty()
                        .allSatisfy(part -> assertThat(part).isNotBlank().hasSizeLessThanOrEqualTo(limit))
                        .isEqualTo(MessageParts.of(reply(seed).markdown(), markup, limit));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void losesNoWordAndKeepsTheirOrder(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            RandomMarkdown.Text reply = reply(seed);
            for (int limit : LIMITS) {
                String all = String.join("\n", MessageParts.of(reply.markdown(), markup, limit));
                assertThat(reply.words()).as("seed %s, limit %s", seed, limit).allMatch(all::contains);
                assertThat(all)
                        .as("seed %s, limit %s", seed, limit)
                        .containsSubsequence(reply.words().stream()
                                .filter(word -> word.startsWith("w"))
                                .toList());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = MarkupLanguage.class,
            names = {"PLAIN", "TELEGRAM"})
    void losesNothingThatIsReadAndCutsNoCharacter(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            String whole = read(markup, MessageParts.of(reply(seed).markdown(), markup, 1_000_000));
            for (int limit : WITH_LINKS) {
                List<String> parts = MessageParts.of(reply(seed).markdown(), markup, limit);
                assertThat(read(markup, parts))
                        .as("seed %s, limit %s", seed, limit)
                        .isEqualTo(whole);
                assertThat(parts.stream()
                                .mapToInt(part -> clusters(read(markup, List.of(part))))
                                .sum())
                        .as("seed %s, limit %s", seed, limit)
                        .isEqualTo(clusters(whole));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void keepsTextsToTheLimitBesideFiles(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            for (int limit : LIMITS) {
                List<MessagePart> parts = MessageParts.withFiles(reply(seed).markdown(), markup, limit);
                assertThat(parts)
                        .as("seed %s, limit %s", seed, limit)
                        .isNotEmpty()
                        .allSatisfy(part -> assertThat(content(part)).isNotBlank())
                        .allMatch(part -> part.fileName() != null || part.text().length() <= limit)
                        .isEqualTo(MessageParts.withFiles(reply(seed).markdown(), markup, limit));
                String all =
                        parts.stream().map(MessagePartsPropertyTest::content).collect(Collectors.joining("\n"));
                assertThat(all)
                        .as("seed %s, limit %s", seed, limit)
                        .contains(reply(seed).words())
                        .containsSubsequence(reply(seed).words().stream()
                                .filter(word -> word.startsWith("w"))
                                .toList());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = MarkupLanguage.class,
            names = {"PLAIN", "TELEGRAM"})
    void losesNothingThatIsReadInTextsAndFiles(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            String whole = read(markup, MessageParts.of(reply(seed).markdown(), markup, 1_000_000));
            for (int limit : WITH_LINKS) {
                assertThat(readWithFiles(markup, reply(seed).markdown(), limit))
                        .as("seed %s, limit %s", seed, limit)
                        .isEqualTo(whole);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = MarkupLanguage.class,
            names = {"SLACK", "DISCORD", "TELEGRAM", "MATTERMOST"})
    void keepsLongCodeInFilesByteForByte(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            Random random = new Random(seed);
            StringBuilder reply = new StringBuilder("begin\n\n");
            List<String> codes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String code = code(random, 100 + random.nextInt(5000));
                codes.add(code);
                reply.append("~~~~~~ python\n")
                        .append(code)
                        .append("~~~~~~\n\nword")
                        .append(i)
                        .append("\n\n");
            }
            List<MessagePart> parts = MessageParts.withFiles(reply.toString(), markup, 100);

            assertThat(parts.stream().filter(part -> part.fileName() != null))
                    .as("seed %s", seed)
                    .extracting(part -> part.file().code())
                    .isEqualTo(codes);
            assertThat(parts.stream()
                            .map(part -> part.fileName() == null ? part.text().substring(0, 5) : "file"))
                    .as("seed %s", seed)
                    .containsExactly("begin", "file", "word0", "file", "word1", "file", "word2", "file", "word3");
        });
    }

    /** Lines of code of about {@code length} characters, with what means something in Markdown and in HTML. */
    private static String code(Random random, int length) {
        List<String> pieces = List.of(
                "a = b", "```", "    ", "\t", "<&>", "\n", "*x*", "# ", "\u6F22", "\uD83D\uDE00", "\\", "@all", "\n\n");
        StringBuilder code = new StringBuilder("x");
        while (code.length() < length) {
            code.append(pieces.get(random.nextInt(pieces.size())));
        }
        return code.append("\n").toString();
    }

    private static String content(MessagePart part) {
        CodeFile file = part.file();
        return file == null ? part.text() : file.code();
    }

    /** What a person reads of {@code reply} in all texts and files, without spaces and the names of files. */
    static String readWithFiles(MarkupLanguage markup, String reply, int limit) {
        List<MessagePart> parts = MessageParts.withFiles(reply, markup, limit);
        assertThat(parts)
                .allMatch(part -> part.fileName() != null || part.text().length() <= limit);
        StringBuilder read = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            MessagePart part = parts.get(i);
            boolean isFile = part.fileName() != null;
            String text = read(isFile ? MarkupLanguage.PLAIN : markup, List.of(content(part)));
            String next = i + 1 < parts.size() ? parts.get(i + 1).fileName() : null;
            read.append(
                    !isFile && next != null && text.endsWith(next)
                            ? text.substring(0, text.length() - next.length())
                            : text);
        }
        return read.toString();
    }

    @Test
    void readsTheSameAgainInMattermost() {
        seeds().forEach(seed -> {
            String reply = RandomMarkdown.of(seed, 300, false).markdown();
            String once =
                    MessageParts.of(reply, MarkupLanguage.MATTERMOST, 1_000_000).get(0);
            assertThat(read(MarkupLanguage.PLAIN, MessageParts.of(once, MarkupLanguage.PLAIN, 1_000_000)))
                    .as("seed %s", seed)
                    .isEqualTo(read(MarkupLanguage.PLAIN, MessageParts.of(reply, MarkupLanguage.PLAIN, 1_000_000)));
        });
    }

    @ParameterizedTest
    @EnumSource(MarkupLanguage.class)
    void takesLittleTimeForALongReply(MarkupLanguage markup) {
        String reply = RandomMarkdown.of(1, 100_000, true).markdown();
        long quickest = LongStream.range(0, 10)
                .map(i -> {
                    long start = System.nanoTime();
                    assertThat(MessageParts.of(reply, markup, 2000)).hasSizeGreaterThan(20);
                    return System.nanoTime() - start;
                })
                .min()
                .orElseThrow();
        assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofSeconds(3));
    }

    private static int clusters(String text) {
        return (int) Pattern.compile("\\X").matcher(text).results().count();
    }

    /** What a person reads in all {@code parts}, without spaces. */
    static String read(MarkupLanguage markup, List<String> parts) {
        String text = parts.stream()
                .map(part -> markup == MarkupLanguage.TELEGRAM
                        ? xml(part).getDocumentElement().getTextContent()
                        : part)
                .collect(Collectors.joining());
        return HIDDEN.matcher(text.replace("%28", "(").replace("%29", ")")).replaceAll("");
    }

    @ParameterizedTest
    @EnumSource(
            value = MarkupLanguage.class,
            names = {"DISCORD", "MATTERMOST", "TEAMS", "SLACK", "WHATSAPP"})
    void closesEachFence(MarkupLanguage markup) {
        seeds().forEach(seed -> {
            for (int limit : LIMITS) {
                assertThat(MessageParts.of(reply(seed).markdown(), markup, limit))
                        .as("seed %s, limit %s", seed, limit)
                        .allSatisfy(part -> assertThat(openFence(part)).isEmpty());
            }
        });
    }

    /** The fence that is open at the end of a part; empty if there is none. */
    private static String openFence(String part) {
        String open = "";
        for (String line : part.split("\n", -1)) {
            if (open.isEmpty() && line.startsWith("```")) {
                open = "`".repeat(StyledSpan.longest(line, 0, line.length(), '`'));
            } else if (line.equals(open)) {
                open = "";
            }
        }
        return open;
    }

    @ParameterizedTest
    @EnumSource(value = MarkupLanguage.class, names = "TELEGRAM")
    void isWellFormedWithAllowedTagsAlone(MarkupLanguage telegram) {
        seeds().forEach(seed -> {
            for (int limit : LIMITS) {
                for (String part : MessageParts.of(reply(seed).markdown(), telegram, limit)) {
                    assertThatCode(() -> xml(part))
                            .as("seed %s, limit %s: %s", seed, limit, part)
                            .doesNotThrowAnyException();
                    NodeList tags = xml(part).getElementsByTagName("*");
                    assertThat(IntStream.range(0, tags.getLength()).mapToObj(i -> (Element) tags.item(i)))
                            .as("seed %s, limit %s", seed, limit)
                            .allMatch(tag -> TAGS.contains(tag.getTagName()))
                            .allMatch(tag -> !tag.getTagName().equals("code")
                                    || Set.of("part", "blockquote", "pre")
                                            .contains(tag.getParentNode().getNodeName()));
                }
            }
        });
    }

    /** A part of Telegram as a document; fails if it is not well-formed. */
    static Document xml(String part) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader("<part>" + part + "</part>")));
        } catch (Exception e) {
            throw new AssertionError(part, e);
        }
    }

    @Test
    void staysWellFormedAndLosesNothingOfAnySoup() {
        LongStream.range(0, 1000).forEach(seed -> {
            String soup = MarkdownFuzzer.of(seed);
            String whole = read(MarkupLanguage.PLAIN, MessageParts.of(soup, MarkupLanguage.PLAIN, 1_000_000));
            assertThat(read(MarkupLanguage.PLAIN, MessageParts.of(soup, MarkupLanguage.PLAIN, 100)))
                    .as("seed %s", seed)
                    .isEqualTo(whole);
            for (MarkupLanguage markup : MarkupLanguage.values()) {
                assertThat(MessageParts.of(soup, markup, 100))
                        .as("%s, seed %s", markup, seed)
                        .isNotEmpty()
                        .allMatch(part -> part.length() <= 100)
                        .allMatch(part -> markup != MarkupLanguage.TELEGRAM || xml(part) != null);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(value = MarkupLanguage.class, names = "SIGNAL")
    void closesEachStyleOfSignal(MarkupLanguage signal) {
        seeds().forEach(seed -> {
            for (int limit : LIMITS) {
                assertThat(MessageParts.of(reply(seed).markdown(), signal, limit))
                        .as("seed %s, limit %s", seed, limit)
                        .allSatisfy(part -> assertThat(openTokens(part)).isEmpty());
            }
        });
    }

    /** The styles that signal-cli-rest-api's src/utils/textstyleparser.go would find open at the end of a part. */
    private static Deque<String> openTokens(String part) {
        Matcher tokens = Pattern.compile("\\\\?(\\*{1,3}|\\|\\||~|`)").matcher(part);
        Deque<String> open = new ArrayDeque<>();
        while (tokens.find()) {
            String token = tokens.group(1);
            if (tokens.group().startsWith("\\")) {
                continue;
            }
            if (token.equals(open.peek())) {
                open.pop();
            } else {
                open.push(token);
            }
        }
        return open;
    }
}
