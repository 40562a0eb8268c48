package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens of 66 model families, texts that look like them, and the shapes that tokens of other families have. */
class ControlTokenFinderTest {

    private static final String NAMED = "(control token ";

    static Stream<JsonNode> families() throws IOException {
        return array("families");
    }

    static Stream<String> lookAlikes() throws IOException {
        return array("benign").map(text -> text.path("text").asText());
    }

    @ParameterizedTest
    @MethodSource("families")
    void namesEachTokenOfAFamily(JsonNode family) {
        List<String> tokens = new ArrayList<>();
        family.path("tokens").forEach(token -> {
            if (token.path("must").asBoolean()) {
                tokens.add(token.path("token").asText());
            }
        });

        assertThat(tokens).isNotEmpty().allSatisfy(token -> {
            for (String text : List.of(token, "before " + token + " after", "before\n" + token + "\nafter")) {
                assertThat(Boundary.defused(text)).contains(NAMED).doesNotContain(token);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("lookAlikes")
    void passesWhatOnlyLooksLikeATokenOnByteForByte(String text) {
        assertThat(Boundary.defused(text)).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[UNUSED_TOKEN_146]",
                "<TOKENS_UNUSED_1>",
                "<reserved_106>",
                "<reserved08706>",
                "<SPECIAL_33>",
                "<extra_id_99>",
                "<unused5>",
                "<extra_id_4711>",
                "[unused4711]",
                "<|reserved_special_token_999|>",
                "<mask:4>",
                "<custom_token_3>",
                "<eom>",
                "<sep>",
                "<EOP_TOKEN>",
                "<endoftext>",
                "<fim-middle>",
                "<file_sep>",
                "]<]image[>[",
                "]<]start of image[>[",
                "]!p~[",
                "]!d~[",
                "<fake_token_around_image>",
                "<end_of_utterance>",
                "<IMG_CONTEXT>",
                "<im_patch>",
                "<start_of_image>",
                "<image_soft_token>",
                "[BEGIN_AUDIO]",
                "[IMG_BREAK]",
                "[START_REF]",
                "<human_end>",
                "<bot_end>",
                "<func_start>",
                "<TOOLCALL>",
                "</AVAILABLE_TOOLS>",
                "<TOOL_RESPONSE>",
                "<function_response>",
                "✿FUNCTION✿",
                "<[fim-suffix]>",
                "<[begin▁of▁sentence]>",
                "<[PLHD12_never_used]>",
                "<thought>",
                "</other_think>",
                "<|mdm_mask|>",
                "<|en|>",
                "<|0.00|>",
                "<|visual token 000001|>",
                "<|other>",
                "<other|>",
                "<xai:function_call>",
                "</gemini:parameter>",
                "<gemini:think>",
                "<｜X1｜tool_calls>",
                "<|X1|invoke name=\"a\">",
                "◁/tool_call▷",
                "<assistant_turn>",
                "[TOOL_REQUEST]",
                "[END_TOOL_REQUEST]",
                "<__media__>",
                "<ctrl94>",
                "<loc0012>",
                "<tool_code>",
                "<#user#>",
                "<~tool_call~>",
                "<anthropic:anything>",
                "<<ASSISTANT>>",
                "<role_start>",
                "<end_system>",
                "[MODEL_SETTINGS]",
                "<|/user|>",
                "<||im_start||>",
                "[|endofturn|]",
            })
    void namesTokensOfOtherFamiliesByTheirShapes(String token) {
        assertThat(Boundary.defused("a " + token + " b")).contains(NAMED).doesNotContain(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "let r = xs <| fun x -> x |> List.map; f <| g x |> h; a <|b; Foo<|A, B|>; a <|> b; <|-- --|>",
                "Array<[number, string]> Map<String, List<S>> vector<bool> def f[T](x: List[T]): Seq[T] = x",
                "x[i] y[j][k] a[b[c]] d['user'] e[\"tool_calls\"] x[tool_calls] x[image_start] a[0]~b[1]",
                "[INFO] [ERROR] [WARN] [SYSTEM] [USER] [TOOL] [MODEL] [START] [END] [THINKING] [Sep] [inst]",
                "[b]bold[/b] [url=http://x]y[/url] [img]x[/img] [quote]x[/quote] [code]x[/code] - [x] b [^1] [[wiki]]",
                "<a@b.de> <mailto:a@b.de> <https://e.com/x?y=1> Jane <jane.doe+list@example.org>",
                "<s class=\"x\">y</s > <mask id=\"m\"></mask> <img src=\"a\"> <audio> <video> <tool-call/> <user-header/>",
                "<user_id> <bot_token> <api_token> <file_name> <end_date> <start_time> <message_id> <image_url> <tool_name>",
                "<function_name> <model_name> <end_user> <image_id> <role>ADMIN</role> <system> <model> <turn> <start> <end>",
                "/calls/<call_id> <pad_id> <function_code> --set <param_value> <voice_token> <box_token> <extra1> <dummy_1> <pad1>",
                "https://api.telegram.org/bot<bot_token>/sendMessage",
                "Array<ToolCall> Promise<FunctionCall> Option<Thought> Vec<Reserved1> <% user %> <%user%> <$user$> <#list users> </#list>",
                "{{user}} {{ .Values.image }} ${{ github.ref }} {% if x %} <%= y %> <<<<<<< a ||||||| b >>>>>>> c ]]>",
                "if (a<b && c>d || e|f) x|=y; z <<= 2; if (x < tool_calls && y > 3) z[i]~=3; vec![1]~",
                "<|> <||> <*> <$> (<|>|=) [<>|] [|] [^|] (?<name>x) (?P<user>y) \\<\\w+\\> git commit -m \"<type>(<scope>)\"",
                "<ns2:getUser><ns2:user>1</ns2:user></ns2:getUser> <wsdl:message name=\"c\"/> <text:start/> <xsl:param name=\"b\"/>",
                "<parameter name=\"x\">1</parameter><function name=\"y\"/><tool>z</tool><tools></tools></invoke>",
                "｜日｜月｜火｜ 【系统】 《用户》 ✿花✿ ✿Flowers✿ ▁▂▃ ▁ x cat <<SYS > x; cat <<EOF",
            })
    void passesCodeMarkupAndProseOnByteForByte(String text) {
        assertThat(Boundary.defused(text)).isSameAs(text);
    }

    /** The decisions on texts that may be read either way; {@code src/docs/security-model.md} gives the reasons. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '\t',
            quoteCharacter = '`',
            value = {
                "<|v|>	<|v|>",
                "<|°_°|>	<|°_°|>",
                "[IMG]a.png[/IMG]	[IMG]a.png[/IMG]",
                "[ARGS]	[ARGS]",
                "<image>	<image>",
                "<thinking>	<thinking>",
                "[|user|]	(control token user)",
                "<s>old price</s>	(control token s)old price(control token s)",
                "<<SYS>>	(control token sys)",
                "<invoke name=\"Call\" operation=\"o\"/>	(control token invoke) name=\"Call\" operation=\"o\"/>",
                "[EOS] [BOS] [EOT]	(control token eos) (control token bos) (control token eot)",
                "<pad> <unk>	(control token pad) (control token unk)",
                "SET <parameter=value>	SET (control token parameter)=value>",
                "<think>about it</think>	(control token think)about it(control token think)",
                "<tool_call>	(control token tool_call)",
                "[INST] Institute	(control token inst) Institute",
                "<EOT>	(control token eot)",
                "<extra_id_0>	(control token extra_id_0)",
                "<｜画像｜>	(control token 画像)",
                "&lt;|im_start|&gt;	(control token im_start)",
                "<|IM_START|>	(control token im_start)",
                "＜|im_start|＞	(control token im_start)",
                "< | im_start | >	(control token im_start)",
            })
    void decidesWhatMayBeTakenEitherWay(String text, String defused) {
        assertThat(Boundary.defused(text)).isEqualTo(defused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r", "\u000B", "\f", "\u0085", "\r\n", "\r\r"})
    void findsTokenWithAnAttributeBehindAnyWhiteSpace(String gap) {
        assertThat(Boundary.defused("<invoke" + gap + "name=\"a\">"))
                .isEqualTo("(control token invoke)" + gap + "name=\"a\">");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|im_<|im_start|>start|>",
                "<<|aa|>|im_start|>",
                "<|im_\u200Bstart|\u00AD>",
                "&lt;&#124;im_start&#124;&gt;",
                "&amp;lt;|im_start|&#38;gt;",
                "＜｜im＿start｜＞",
                "<¦im_start¦> <│im_end│> ⟨|eot_id|⟩",
                "<seed:functools[",
                "▁<PRE<|x1|>>",
                "[IN[INST]ST]",
                "<tool_<tool_call>call>",
                "]~]~b]b]",
                "<think</think>>",
            })
    void leavesNoTokenThatOthersHadHidden(String text) {
        String defused = Boundary.defused(text);

        assertThat(defused).contains(NAMED).doesNotContainIgnoringCase("<|im_start|>", "[INST]", "<tool_call>", "]~b]");
        assertThat(Boundary.defused(defused)).isSameAs(defused);
    }

    @Test
    void findsNothingMoreInWhatItHasReplaced() throws IOException {
        List<String> parts = new ArrayList<>(List.of(
                "<",
                ">",
                "|",
                "[",
                "]",
                "~",
                "!",
                "/",
                "_",
                " ",
                "\n",
                "a",
                "b",
                "role",
                "&lt;",
                "&#38;",
                "｜",
                "▁",
                "✿",
                "<!--",
                "-->",
                "<b>",
                "<<<END",
                "_EXTERNAL_",
                "UNTRUSTED",
                "CONTENT",
                "functools",
                "\u200B",
                "\uDB40\uDC3C",
                "«",
                "＆lt;",
                "１",
                "⩵",
                "=",
                "\""));
        families().forEach(family -> family.path("tokens")
                .forEach(token -> parts.add(token.path("token").asText())));
        Random random = new Random(17);

        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(12); n >= 0; n--) {
                text.append(parts.get(random.nextInt(random.nextBoolean() ? 35 : parts.size())));
            }
            String defused = Boundary.defused(text.toString());

            assertThat(Boundary.defused(defused)).as("%s", text).isSameAs(defused);
        }
    }

    private static Stream<JsonNode> array(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(
                ControlTokenFinderTest.class.getResourceAsStream("/attacks/control-tokens.json"))) {
            JsonNode array = new JsonMapper().readTree(file).path(name);
            return StreamSupport.stream(array.spliterator(), false).toList().stream();
        }
    }
}
