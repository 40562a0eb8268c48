package dev.postern.app;

import static dev.postern.app.ConsoleBrowserExtension.OPERATOR;
import static dev.postern.app.ConsoleBrowserExtension.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the browser shows untrusted content as it is, and does not run it. A dialog would fail any test. */
@Tag("long")
class ConsoleHostileTextTest {

    /** The texts, each as the page has to show it. */
    private static final Map<String, String> HOSTILE = Map.ofEntries(
            itself("<script>alert(1)</script>"),
            itself("\"><img src=x onerror=alert(1)>"),
            itself("' onmouseover='alert(1)' x='"),
            itself("</pre></td></table></main><iframe src=javascript:alert(1)></iframe>"),
            itself("<svg/onload=alert(1)><!-- ]]> -->"),
            itself("<div hx-get=/postern/console/runs hx-trigger=load>"),
            itself("javascript:alert(1)"),
            itself("&lt;b&gt; &amp;quot; &#60;i&#62;"),
            itself("${'com'+'puted'} <#assign x='com'+'puted'>${x} {{'com'+'puted'}} [='com'+'puted'] #{7*191} <@x/>"),
            itself("'; DROP TABLE run; -- \" OR 1=1"),
            itself("%3Cscript%3E%22%27"),
            Map.entry("invoice\u202Efdp.exe\u202C \u2066a\u2069", "invoice⟦U+202E⟧fdp.exe⟦U+202C⟧ ⟦U+2066⟧a⟦U+2069⟧"),
            Map.entry("no\u200Bthing\u2060 \uFEFFhere \u00AD", "no⟦U+200B⟧thing⟦U+2060⟧ ⟦U+FEFF⟧here ⟦U+00AD⟧"));

    /** The texts that no name may contain. */
    private static final Map<String, String> CONTROLS =
            Map.of("a\u0000b\u0007c\u001B[31md\u0085e\rf", "a\uFFFDb⟦U+0007⟧c⟦U+001B⟧[31md⟦U+0085⟧e⟦U+000D⟧f");

    /** One of our boundary markers, which is removed from a reply that repeats it. */
    private static final Pattern MARKER = Pattern.compile("<<<(END_)?EXTERNAL_UNTRUSTED_CONTENT");

    @RegisterExtension
    static final ConsoleBrowserExtension CONSOLE = new ConsoleBrowserExtension();

    private final Chromium browser = CONSOLE.browser();

    @Test
    void isShownWhereverAStrangerCanWrite() {
        List<String> runs = new ArrayList<>();
        HOSTILE.keySet()
                .forEach(text -> runs.add(run(Map.of(
                        "message", text, "name", text, "sessionKey", text, "model", "offline/" + text, "to", text))));
        CONTROLS.keySet().forEach(text -> runs.add(run(Map.of("message", text, "model", "offline/echo"))));
        HOSTILE.keySet().forEach(text -> CONSOLE.post("wake", Map.of("text", text, "mode", "next-heartbeat")));
        HOSTILE.keySet()
                .forEach(text -> CONSOLE.post(
                        encoded(text).replace("%2F", "-").replace("%5C", "-").replace("+", "%20"), "wrong", "{}"));
        CONSOLE.enter(OPERATOR);

        CONSOLE.open("runs");
        HOSTILE.values().forEach(text -> assertThat(columns("Name")).contains(text));
        HOSTILE.values().forEach(text -> assertThat(columns("Session")).contains(text));
        assertThat(intruders()).isEmpty();
        CONSOLE.open("requests?code=401");
        assertThat(columns("Hook"))
                .as("a path that needs an escape leads to no hook")
                .doesNotContainAnyElementsOf(HOSTILE.values());
        assertThat(intruders()).isEmpty();
        awaitTheEndOfRuns();
        CONSOLE.open("inbox");
        assertThat(replies())
                .containsAll(HOSTILE.values().stream()
                        .map(each -> "offline/" + each + ": " + each)
                        .toList())
                .containsAll(CONTROLS.values().stream()
                        .map(each -> "offline/echo: " + each)
                        .toList());
        assertThat(intruders()).isEmpty();
        List<String> texts = new ArrayList<>(HOSTILE.values());
        for (int i = 0; i < texts.size(); i++) {
            CONSOLE.open("runs/" + runs.get(i));
            String text = texts.get(i);
            assertThat(browser.texts("dd"))
                    .contains(text, "offline/" + text)
                    .anyMatch(each -> each.endsWith(" " + text));
            assertThat(replies()).containsExactly("offline/" + text + ": " + text);
            assertThat(intruders()).isEmpty();
        }
    }

    @Test
    void staysTextOnEachOtherPageToo() {
        String text = HOSTILE.keySet().stream().collect(Collectors.joining(" "));
        CONSOLE.setModelReply(text);
        run(Map.of("message", text, "channel", "slack", "to", "C0123456789"));
        CONSOLE.post("wake", Map.of("text", text, "mode", "next-heartbeat"));
        CONSOLE.post("wake", Map.of("text", text, "mode", "now"));
        CONSOLE.enter(OPERATOR);

        for (String page : CONSOLE.everyPage().values()) {
            CONSOLE.open(page);
            assertThat(intruders()).as(page).isEmpty();
            assertThat(browser.text()).as(page).doesNotContain("computed");
        }
    }

    @Test
    void comesBackAsTextFromAFilter() {
        CONSOLE.allowBrowserErrors(); // for responses with 400
        CONSOLE.enter(OPERATOR);
        for (Map.Entry<String, String> text : HOSTILE.entrySet()) {
            CONSOLE.open("runs?hook=" + encoded(text.getKey()) + "&session=" + encoded(text.getKey()));
            assertThat(browser.find("input[name=hook]").getAttribute("value")).isEqualTo(text.getValue());
            assertThat(intruders()).isEmpty();
            CONSOLE.open("requests?text=" + encoded(text.getKey()));
            assertThat(browser.find("input[name=text]").getAttribute("value")).isEqualTo(text.getValue());
            assertThat(intruders()).isEmpty();
            CONSOLE.open("runs?status=" + encoded(text.getKey()));
            assertThat(intruders()).isEmpty();
        }
    }

    @Test
    void staysTextWhereItTriesToPassForOurs() throws IOException {
        List<String> attacks = attacks();
        attacks.forEach(text -> CONSOLE.post(
                "agent",
                ConsoleBrowserExtension.token(),
                ConsoleBrowserExtension.json(
                        Map.of("message", text, "channel", "inbox", "model", "offline/echo", "sessionKey", "a"))));
        CONSOLE.enter(OPERATOR);
        awaitTheEndOfRuns();

        List<String> shown = new ArrayList<>();
        CONSOLE.open("inbox");
        shown.addAll(replies());
        while (!browser.all("main a[href*=before]").isEmpty()) {
            browser.follow(browser.find("main a[href*=before]"));
            shown.addAll(replies());
            assertThat(intruders()).isEmpty();
        }

        assertThat(attacks).hasSizeGreaterThan(100);
        assertThat(shown).hasSizeGreaterThanOrEqualTo(attacks.size());
        assertThat(shown).as("an agent's echo").noneMatch(reply -> MARKER.matcher(reply)
                .find());
    }

    /** Its end starts no heartbeat, whose reply would take the place of another on the inbox's first page. */
    private String run(Map<String, ?> more) {
        Map<String, Object> body = new HashMap<>(Map.of("channel", "inbox", "wakeMode", "next-heartbeat"));
        body.putAll(more);
        JsonNode answer = CONSOLE.post("agent", body);
        assertThat(answer.path("ok").asBoolean()).as(answer.toString()).isTrue();
        return answer.path("runId").asText();
    }

    private void awaitTheEndOfRuns() {
        for (String state : List.of("queued", "running")) {
            browser.until("the end of what is " + state, any -> {
                CONSOLE.open("runs?status=" + state);
                return browser.find("tbody").getText().startsWith("No runs") ? true : null;
            });
        }
    }

    /** The cells of a column, by its number from 0. */
    private List<String> columns(String name) {
        return browser.texts("td[data-label='" + name + "']");
    }

    private List<String> replies() {
        return browser.texts("pre");
    }

    /** The elements of the page that are not from our templates. */
    @SuppressWarnings("unchecked")
    private List<String> intruders() {
        return (List<String>)
                Objects.requireNonNull(
                        browser.script(
                                """
                const ours = location.origin + '/postern/console/';
                const addresses = ['href', 'src', 'action', 'formaction', 'hx-get', 'hx-post'];
                const isOurs = (value) => new URL(value, location.href).href.startsWith(ours) || value === '#main';
                return Array.from(document.querySelectorAll('*'))
                    .filter(each => /^(img|iframe|object|embed|base|math|video|audio|template|style)$/i.test(each.tagName)
                        || (each.tagName === 'SCRIPT' && !each.src.startsWith(ours + 'assets/'))
                        || Array.from(each.attributes).some(attribute => attribute.name.startsWith('on')
                            || attribute.name === 'style'
                            || (addresses.includes(attribute.name) && !isOurs(attribute.value))))
                    .map(each => each.outerHTML.slice(0, 200))
                """));
    }

    private static List<String> attacks() throws IOException {
        List<String> found = new ArrayList<>();
        try (InputStream in = ConsoleHostileTextTest.class.getResourceAsStream("/attacks/boundary-attacks.json")) {
            new ObjectMapper()
                    .readTree(in)
                    .path("attacks")
                    .forEach(each -> found.add(each.path("text").asText()));
        }
        found.removeIf(text -> letters(text).isEmpty());
        return found;
    }

    private static String letters(String text) {
        return text.replaceAll("[^A-Za-z]", "");
    }

    private static Map.Entry<String, String> itself(String text) {
        return Map.entry(text, text);
    }
}
