package dev.postern.channel.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlDocumentTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "![a picture](https://example.com/a.png)",
                "<img src=\"https://example.com/a.png\">",
                "<script>alert(1)</script>",
                "a <iframe src='//example.com'></iframe> b",
                "<style>@import 'https://example.com'</style>",
                "[x](javascript:alert(1))",
                "[x](data:text/html;base64,AAAA)",
                "[x](https://example.com/\"onclick=\"alert(1))",
                "```html\" onload=\"x\n<b>\n```",
                "| a | b |\n|---|---|\n| <img src=x> | ![y](https://example.com/z) |"
            })
    void loadsAndRunsNothing(String reply) {
        Document document = Jsoup.parse(HtmlDocument.of(reply));

        assertThat(document.select("img, script, iframe, style, link, object, [src], [style]"))
                .isEmpty();
        assertThat(document.getAllElements().stream()
                        .flatMap(element -> element.attributes().asList().stream())
                        .map(attribute -> attribute.getKey()))
                .noneMatch(name -> name.startsWith("on"));
        assertThat(document.select("a").stream().map(link -> link.attr("href")))
                .allMatch(href -> href.startsWith("https://example.com/"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "**a** *b* ~~c~~ `d`|<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>",
                "[Docs](https://example.com/?a=1&b=2)|<p><a href=\"https://example.com/?a=1&amp;b=2\">Docs</a></p>",
                "see https://example.com|<p>see <a href=\"https://example.com\">https://example.com</a></p>",
                "![a](https://example.com/b.png)|<p><a href=\"https://example.com/b.png\">a</a></p>",
                "[![a](https://example.com/b)](https://example.com/c)|<p><a href=\"https://example.com/c\">a</a>"
                        + " (<a href=\"https://example.com/b\">https://example.com/b</a>)</p>",
                "[![a](data:b)](https://example.com/c)|<p><a href=\"https://example.com/c\">a</a> (data:b)</p>",
                "[x](file:///etc)|<p>x (file:///etc)</p>",
                "[\u202Emoc.knab](https://evil.com)|<p><a href=\"https://evil.com\">moc.knab</a>"
                        + " (<a href=\"https://evil.com\">https://evil.com</a>)</p>",
                "a &#x202E;b|<p>a b</p>",
                "1 < 2 & 3|<p>1 &lt; 2 &amp; 3</p>"
            })
    void writesMarkdownAsHtml(String reply, String body) {
        assertThat(HtmlDocument.of(reply)).contains("<body>\n" + body + "\n</body>");
    }

    @Test
    void keepsTheLinesOfAParagraph() {
        Element body = Jsoup.parse(HtmlDocument.of("one\ntwo")).body();
        assertThat(body.select("br")).hasSize(1);
    }

    @Test
    void showsAsTextWhatWouldTakeTooLong() {
        String reply = "a <b>\n".repeat(10_001);
        assertThat(HtmlDocument.of(reply)).contains("<pre>a &lt;b&gt;\n");
    }
}
