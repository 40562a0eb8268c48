package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AtlassianDocumentTest {

    private static String content(String markdown) {
        return AtlassianDocument.of(markdown).path("content").toString().replace('"', '\'');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '"',
            value = {
                "a **b** _c_ ~~d~~ → [{'type':'paragraph','content':[{'type':'text','text':'a '},"
                        + "{'type':'text','text':'b','marks':[{'type':'strong'}]},{'type':'text','text':' '},"
                        + "{'type':'text','text':'c','marks':[{'type':'em'}]},{'type':'text','text':' '},"
                        + "{'type':'text','text':'d','marks':[{'type':'strike'}]}]}]",
                "## a → [{'type':'heading','attrs':{'level':2},'content':[{'type':'text','text':'a'}]}]",
                "**`a`** → [{'type':'paragraph','content':[{'type':'text','text':'a','marks':[{'type':'code'}]}]}]",
                "[a](https://b.c) → [{'type':'paragraph','content':[{'type':'text','text':'a','marks':"
                        + "[{'type':'link','attrs':{'href':'https://b.c'}}]}]}]",
                "![](https://b.c) → [{'type':'paragraph','content':[{'type':'text','text':'https://b.c','marks':"
                        + "[{'type':'link','attrs':{'href':'https://b.c'}}]}]}]",
                "![a](https://b.c) → [{'type':'paragraph','content':[{'type':'text','text':'a','marks':"
                        + "[{'type':'link','attrs':{'href':'https://b.c'}}]}]}]",
                "[![a](https://b.c)](https://d.e) → [{'type':'paragraph','content':[{'type':'text','text':'a',"
                        + "'marks':[{'type':'link','attrs':{'href':'https://d.e'}}]},{'type':'text','text':' ('},"
                        + "{'type':'text','text':'https://b.c','marks':[{'type':'link','attrs':"
                        + "{'href':'https://b.c'}}]},{'type':'text','text':')'}]}]",
                "[a](javascript:b) → [{'type':'paragraph','content':[{'type':'text','text':'a'},"
                        + "{'type':'text','text':' (javascript:b)'}]}]",
                "@ops <b> → [{'type':'paragraph','content':[{'type':'text','text':'@ops '},"
                        + "{'type':'text','text':'<b>'}]}]",
                "--- → [{'type':'rule'}]",
                "a &#x202E;b\u202D → [{'type':'paragraph','content':[{'type':'text','text':'a b'}]}]",
                "> # a → [{'type':'blockquote','content':[{'type':'paragraph','content':"
                        + "[{'type':'text','text':'a','marks':[{'type':'strong'}]}]}]}]",
            })
    void makesNodesOfMarkdown(String markdown, String content) {
        assertThat(content(markdown)).isEqualTo(content);
    }

    @Test
    void makesListsTablesAndCode() {
        assertThat(content("3. a\n   - b\n4. - c"))
                .isEqualTo(
                        "[{'type':'orderedList','attrs':{'order':3},'content':[{'type':'listItem','content':["
                                + "{'type':'paragraph','content':[{'type':'text','text':'a'}]},{'type':'bulletList','content':["
                                + "{'type':'listItem','content':[{'type':'paragraph','content':[{'type':'text','text':'b'}]}]}]}]},"
                                + "{'type':'listItem','content':[{'type':'paragraph','content':[]},{'type':'bulletList','content':["
                                + "{'type':'listItem','content':[{'type':'paragraph','content':[{'type':'text','text':'c'}]}]}]}]}]}]");
        assertThat(content("|a|\n|-|\n|b|"))
                .isEqualTo(
                        "[{'type':'table','content':[{'type':'tableRow','content':[{'type':'tableHeader','content':["
                                + "{'type':'paragraph','content':[{'type':'text','text':'a'}]}]}]},{'type':'tableRow','content':["
                                + "{'type':'tableCell','content':[{'type':'paragraph','content':[{'type':'text','text':'b'}]}]}]}]}]");
        assertThat(content("```java\na\n b\n```"))
                .isEqualTo(
                        "[{'type':'codeBlock','attrs':{'language':'java'},'content':[{'type':'text','text':'a\\n b'}]}]");
    }

    @Test
    void showsWhatMarkdownWouldHide() {
        assertThat(content("[a]: https://b.c")).contains("'text':'[a]: https://b.c'");
        assertThat(content("")).isEqualTo("[{'type':'paragraph','content':[]}]");
        assertThat(content("a\u0001b")).contains("a\uFFFDb");
    }

    @Test
    void repeatsAnAddressThatIsDefinedOnceOnlySoOften() {
        String markdown = "[a]: https://b.c/" + "d".repeat(10_000) + "\n\n" + "[a] ".repeat(5_000);

        assertThat(AtlassianDocument.of(markdown).toString()).hasSizeLessThan(1_000_000);
    }

    @Test
    void isValidForAnyReply() throws IOException {
        Schema schema = schema();
        LongStream.range(0, 300).forEach(seed -> {
            String soup = MarkdownFuzzer.of(seed);
            assertThat(schema.validate(AtlassianDocument.of(soup).toString(), InputFormat.JSON))
                    .as("seed %s: %s", seed, soup)
                    .isEmpty();
            String reply = RandomMarkdown.of(seed, 500, true).markdown();
            assertThat(schema.validate(AtlassianDocument.of(reply).toString(), InputFormat.JSON))
                    .as("seed %s: %s", seed, reply)
                    .isEmpty();
        });
    }

    private static Schema schema() throws IOException {
        try (InputStream file = AtlassianDocumentTest.class.getResourceAsStream("/vendors/jira.json")) {
            ObjectNode description = (ObjectNode) new ObjectMapper().readTree(file);
            ObjectNode schema = (ObjectNode) description.at("/components/schemas/Document");
            ObjectNode alone = schema.deepCopy();
            alone.set("components", description.get("components"));
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(alone.toString(), InputFormat.JSON);
        }
    }
}
