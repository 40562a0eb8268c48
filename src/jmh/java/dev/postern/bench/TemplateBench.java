package dev.postern.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.mapping.template.Rendered;
import dev.postern.mapping.template.Template;
import dev.postern.mapping.template.TemplateInput;
import dev.postern.mapping.template.Templates;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** CPU of rendering templates: single ones, and the six of a whole mapping, for payloads of 2 KB and 200 KB. */
public final class TemplateBench {

    private static final String MESSAGE =
            "New message from ${payload.messages[0].from}\nSubject: ${payload.messages[0].subject}\n"
                    + "${payload.messages[0].snippet} ${payload.count} ${payload.missing.x}";

    private static final String PLACEHOLDERS =
            "New message from {{messages[0].from}}\nSubject: {{messages[0].subject}}\n{{messages[0].snippet}} {{count}} {{missing.x}}";

    private static final String LOOP =
            "<#list payload.messages as m><#if m.from??>${m.from?upper_case}<#else>nobody</#if><#sep>, </#list>";

    private static final List<String> MAPPING = List.of(
            MESSAGE,
            "Mail",
            "hook:mail:${payload.messages[0].id}",
            "${headers['x-id']}",
            "main",
            "${payload.to!'last'}");

    private TemplateBench() {}

    /** Prints microseconds of CPU per operation; the best of several rounds, since machines are noisy. */
    public static void main(String[] args) {
        JsonNode small = payload(4);
        JsonNode large = payload(600);
        System.out.println("payloads " + small.toString().length() + " and "
                + large.toString().length() + " characters");
        for (JsonNode payload : List.of(small, large)) {
            measure("input alone", payload, List.of());
            measure("message, FreeMarker", payload, List.of(MESSAGE));
            measure("message, placeholders", payload, List.of(PLACEHOLDERS));
            measure("mapping of six fields", payload, MAPPING);
        }
        measure("loop over 4", small, List.of(LOOP));
        measure("loop over 600", large, List.of(LOOP));
        measure("whole payload as JSON", large, List.of("{{payload}}"));
    }

    private static void measure(String what, JsonNode payload, List<String> texts) {
        List<Template> templates =
                texts.stream().map(text -> (Template) Templates.compile(text)).toList();
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 12; round++) {
            int times = 0;
            long length = 0;
            long start = cpu();
            while (cpu() - start < 300_000_000L) {
                for (int i = 0; i < 100; i++) {
                    length += render(templates, payload);
                }
                times += 100;
            }
            best = Math.min(best, (cpu() - start) / 1_000.0 / times);
            if (length < 0) {
                throw new IllegalStateException("nothing was rendered");
            }
        }
        System.out.printf("%-24s %8.2f us%n", what, best);
    }

    private static long render(List<Template> templates, JsonNode payload) {
        TemplateInput input = new TemplateInput(payload, HEADERS, Map.of(), "mail", Instant.EPOCH);
        long length = 0;
        for (Template template : templates) {
            length += ((Rendered.Text) template.render(input)).value().length();
        }
        return length;
    }

    private static final Map<String, String> HEADERS = headers();

    private static Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < 12; i++) {
            headers.put("x-header-" + i, "value " + i);
        }
        headers.put("x-id", "abc");
        return headers;
    }

    private static JsonNode payload(int messages) {
        ObjectNode payload = new JsonMapper().createObjectNode().put("count", 12);
        ArrayNode list = payload.putArray("messages");
        for (int i = 0; i < messages; i++) {
            list.addObject()
                    .put("id", "id-" + i)
                    .put("from", "someone" + i + "@example.com")
                    .put("subject", "About thing number " + i)
                    .put("snippet", "Words and more words. ".repeat(10))
                    .putArray("labels")
                    .add("INBOX")
                    .add("UNREAD");
        }
        return payload;
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
