package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens with a character that Unicode's compatibility mapping (NFKC) turns into theirs, or that it tells readers to ignore. */
class DisguisedControlTokenTest {

    /** Ends of the ranges with the property Default_Ignorable_Code_Point in Unicode's DerivedCoreProperties.txt. */
    private static final int[][] IGNORABLE = {
        {0xAD, 0xAD},
        {0x34F, 0x34F},
        {0x61C, 0x61C},
        {0x115F, 0x1160},
        {0x17B4, 0x17B5},
        {0x180B, 0x180F},
        {0x200B, 0x200F},
        {0x202A, 0x202E},
        {0x2060, 0x206F},
        {0x3164, 0x3164},
        {0xFE00, 0xFE0F},
        {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFF8},
        {0x1BCA0, 0x1BCA3},
        {0x1D173, 0x1D17A},
        {0xE0000, 0xE001F},
        {0xE0020, 0xE007E},
        {0xE007F, 0xE0FFF}
    };

    private static final Map<Integer, List<Integer>> COMPATIBLE = compatible();

    /** The characters whose compatibility mapping is one character, under that character. */
    private static Map<Integer, List<Integer>> compatible() {
        Map<Integer, List<Integer>> compatible = new HashMap<>();
        for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
            String text = Character.toString(c);
            String mapped = Normalizer.normalize(text, Normalizer.Form.NFKC);
            if (!mapped.equals(text) && mapped.codePointCount(0, mapped.length()) == 1) {
                compatible
                        .computeIfAbsent(mapped.codePointAt(0), none -> new ArrayList<>())
                        .add(c);
            }
        }
        return compatible;
    }

    private static List<String> tokens() throws IOException {
        return ControlTokenFinderTest.families()
                .flatMap(family -> family.findParents("must").stream())
                .filter(token -> token.path("must").asBoolean())
                .map(token -> token.path("token").asText())
                .distinct()
                .toList();
    }

    @Test
    void namesATokenWithAnyCompatibleCharacter() throws IOException {
        List<String> left = new ArrayList<>();
        int tried = 0;
        for (String token : tokens()) {
            for (int i = 0; i < token.length(); i++) {
                String before = token.substring(0, i);
                String after = token.substring(i + 1);
                for (int c : COMPATIBLE.getOrDefault((int) token.charAt(i), List.of())) {
                    String text = before + Character.toString(c) + after;
                    tried++;
                    addIfLeft(left, text);
                }
            }
        }

        assertThat(tried).isGreaterThan(50_000);
        assertThat(left).isEmpty();
    }

    @Test
    void namesATokenWithAnIgnorableCharacterAnywhere() throws IOException {
        List<Integer> ends = IntStream.range(0, IGNORABLE.length)
                .flatMap(i -> IntStream.of(IGNORABLE[i]).distinct())
                .boxed()
                .toList();
        List<String> left = new ArrayList<>();
        for (String token : tokens()) {
            for (int i = 1; i < token.length(); i++) {
                for (int c : ends) {
                    addIfLeft(left, token.substring(0, i) + Character.toString(c) + token.substring(i));
                }
            }
        }

        assertThat(left).isEmpty();
    }

    @Test
    void namesATokenWithEachIgnorableCharacter() {
        List<String> left = new ArrayList<>();
        for (int[] range : IGNORABLE) {
            for (int c = range[0]; c <= range[1]; c++) {
                addIfLeft(left, "<think" + Character.toString(c) + ">");
                addIfLeft(left, "func" + Character.toString(c) + "tools[");
            }
        }

        assertThat(left).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<function⩵x>",
                "<function≠x>",
                "<extra_id_⑪>",
                "<extra_id_٣>",
                "<｜tool¨calls¨begin｜>",
                "<|⽤户|>",
                "＜用户＞",
                "&lt;用户&gt;",
                "<rоle>HUMAN</rolе>",
                "<tool\uD833\uDF00_call>",
                "<think\uFFFE>",
                "func\u0890tools[",
                "\u200Bfunctools[",
                "ｆunctооls［",
                "functooʪ[",
                "&#102;unct&#111;ols&lsqb;",
                "functool&#x73[",
                "functool&zwnj;s[",
                "functool&#１１５;[",
                "＆lt;|im_start|＆gt;",
                "&l\u200Bt;|im_start|>",
                "&#6\u200B0;think>",
                "&#60\u200B|im_start|>",
                "&#\u00AD６０;think>",
                "＆amp;ｌｔ;think>",
                "<th&#\u2060x69;nk>",
            })
    void namesATokenInOtherDisguises(String token) {
        assertThat(Boundary.defused("a " + token + " b"))
                .contains("(control token ")
                .doesNotContain(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "my_functools[ ＦunctooLs[ functool[ functools.wraps(f)[0] Functools[",
                "《用户》 【系统】 ［助手］ <用户名> <⽤>",
                "R＆D ＆ ＆lt;p＆gt; &été; R&D\u00AD; 甲&乙; a=1＆b=2＆c[0] &\u200B &l\u200Bt;p>",
                "<extra_id_⑽> <Role>HUMAN</Role> <ROLE>SYSTEM</ROLE>",
                "テスト［情報］：［１～３］！「Ａ」～「Ｂ」 ＝＞ ［済］～ ［］！",
            })
    void passesOrdinaryTextWithSuchCharactersOnByteForByte(String text) {
        assertThat(Boundary.defused(text)).isSameAs(text);
    }

    private static void addIfLeft(List<String> left, String text) {
        if (!Boundary.defused(text).contains("(control token ")) {
            left.add(text);
        }
    }
}
