package dev.postern.mail.message;

import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;
import org.jsoup.select.NodeFilter;
import org.jspecify.annotations.Nullable;

/**
 * An extractor of the visible text of an HTML mail. Blocks, table rows and list items become lines; links are followed by
 * their address. The tree is a browser's, except that elements nested deeper than jsoup's 512 become siblings.
 */
final class HtmlTextExtractor implements NodeFilter {

    /** Number of elements to parse before the first check whether their text reaches its limit. */
    private static final int FEW_ELEMENTS = 4_000;

    /** Factor by which the number of elements grows with each further check. */
    private static final int GROWTH = 4;

    /** Limit of elements, about 15 MB; a few bytes of HTML can become a dozen elements. */
    private static final int MAX_ELEMENTS = 64_000;

    private static final int MAX_LINK = 1_000;
    private static final Set<String> UNSEEN = Set.of(
            "head",
            "title",
            "template",
            "iframe",
            "noframes",
            "noembed",
            "object",
            "svg",
            "math",
            "audio",
            "video",
            "canvas",
            "select",
            "datalist");
    private static final Set<String> CELLS = Set.of("td", "th");
    private static final Set<String> PARAGRAPHS =
            Set.of("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "table", "pre", "hr");
    private static final Set<String> LINES = Set.of(
            "div",
            "li",
            "dt",
            "dd",
            "tr",
            "caption",
            "address",
            "article",
            "aside",
            "center",
            "details",
            "dir",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
            "legend",
            "main",
            "menu",
            "nav",
            "section",
            "summary",
            "body");

    /** The state of an open element. */
    private record Open(boolean tiny, boolean preformatted, int textBefore) {}

    private final BodyText text;
    private final Deque<Open> open = new ArrayDeque<>();
    private boolean cellBefore;

    private HtmlTextExtractor(BodyText text) {
        this.text = text;
        open.push(new Open(false, false, 0));
    }

    /**
     * Appends the visible text of {@code html} until {@code text} is full.
     *
     * @throws java.io.UncheckedIOException if {@code html} throws its cause
     */
    static void read(Reader html, BodyText text) {
        BodyText.Checkpoint before = text.checkpoint();
        try (StreamParser parser = new StreamParser(Parser.htmlParser()).parse(html, "")) {
            Iterator<Element> elements = parser.iterator();
            int count = 0;
            for (int most = FEW_ELEMENTS; most <= MAX_ELEMENTS; most *= GROWTH) {
                while (count < most && elements.hasNext()) {
                    elements.next();
                    count++;
                }
                text.resetTo(before);
                new HtmlTextExtractor(text).traverse(parser.document());
                if (count < most || text.isCut()) {
                    return;
                }
            }
            text.cut();
        }
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (text.isCut()) {
            return FilterResult.STOP;
        }
        if (node instanceof TextNode words) {
            if (!innermost().tiny()) {
                show(words.getWholeText());
            }
            return FilterResult.CONTINUE;
        }
        return node instanceof Element element ? begin(element) : FilterResult.CONTINUE;
    }

    private FilterResult begin(Element element) {
        String name = element.normalName();
        InlineStyle style = InlineStyle.of(attribute(element, "style"));
        if (UNSEEN.contains(name) || element.hasAttr("hidden") || style.hidden()) {
            return FilterResult.SKIP_ENTIRELY;
        }
        lines(name);
        switch (name) {
            case "li" -> text.append("- ");
            case "br" -> text.append('\n');
            case "img" -> show(element.attr("alt"));
            default -> {}
        }
        Open around = innermost();
        open.push(new Open(
                style.tiny() == null ? around.tiny() : style.tiny(),
                around.preformatted() || "pre".equals(name),
                text.length()));
        return FilterResult.CONTINUE;
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element) {
            int textBefore = open.pop().textBefore();
            @Nullable String href = element.nameIs("a") ? attribute(element, "href") : null;
            if (href != null) {
                address(href.strip(), text.since(textBefore).strip());
            }
            lines(element.normalName());
            cellBefore = CELLS.contains(element.normalName()) || (cellBefore && !element.nameIs("tr"));
        }
        return FilterResult.CONTINUE;
    }

    private Open innermost() {
        return open.element();
    }

    private static @Nullable String attribute(Element element, String name) {
        return element.hasAttr(name) ? element.attr(name) : null;
    }

    private void show(String more) {
        boolean preformatted = innermost().preformatted();
        for (int i = 0; i < more.length() && !text.isCut(); ) {
            int c = SingleLineText.codePointAt(more, i);
            i += Character.charCount(c);
            if (preformatted || !SingleLineText.isSpace(c)) {
                if (cellBefore && !SingleLineText.isSpace(c)) {
                    text.append(text.isAtLineStart() ? "" : " | ");
                    cellBefore = false;
                }
                text.append(c);
            } else if (!text.isAtSpace()) {
                text.append(' ');
            }
        }
    }

    private void lines(String name) {
        if (PARAGRAPHS.contains(name)) {
            text.lineBreaks(2);
        } else if (LINES.contains(name)) {
            text.lineBreaks(1);
        }
    }

    private void address(String href, String shown) {
        String address = SingleLineText.line(href, MAX_LINK + 1);
        boolean leads = address.regionMatches(true, 0, "http:", 0, 5)
                || address.regionMatches(true, 0, "https:", 0, 6)
                || address.regionMatches(true, 0, "mailto:", 0, 7);
        if (leads
                && address.length() <= MAX_LINK
                && !shown.isEmpty()
                && !bare(shown).equals(bare(address))) {
            text.append((text.isAtSpace() ? "<" : " <") + address + ">");
        }
    }

    private static String bare(String address) {
        return address.replaceFirst("(?i)^(?:https?://|mailto:)", "").replaceFirst("/$", "");
    }
}
