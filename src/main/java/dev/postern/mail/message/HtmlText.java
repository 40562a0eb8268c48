package dev.postern.mail.message;

import java.io.IOException;
import java.io.Reader;
import java.util.Locale;
import java.util.Set;
import org.htmlunit.cyberneko.HTMLConfiguration;
import org.htmlunit.cyberneko.HTMLScanner;
import org.htmlunit.cyberneko.filters.DefaultFilter;
import org.htmlunit.cyberneko.xerces.xni.Augmentations;
import org.htmlunit.cyberneko.xerces.xni.QName;
import org.htmlunit.cyberneko.xerces.xni.XMLAttributes;
import org.htmlunit.cyberneko.xerces.xni.XMLString;
import org.htmlunit.cyberneko.xerces.xni.parser.XMLInputSource;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of an HTML mail, as text: blocks, table rows and list items are lines, links are followed by their
 * address. Only the scanner of NekoHTML is used, which never looks back; its tag balancer takes quadratic time.
 */
final class HtmlText extends DefaultFilter {

    private static final int MAX_LINK = 1_000;
    private static final Set<String> UNSEEN = Set.of(
            "head",
            "title",
            "style",
            "script",
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
    private static final Set<String> EMPTY = Set.of(
            "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
            "wbr");
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

    private final BodyText text;
    private final OpenElements open = new OpenElements(this::closed);
    private boolean cellBefore;

    private HtmlText(BodyText text) {
        this.text = text;
    }

    /**
     * Adds what {@code html} shows, until {@code text} is full.
     *
     * @throws IOException as {@code html} throws it
     */
    static void read(Reader html, BodyText text) throws IOException {
        HtmlText shown = new HtmlText(text);
        HTMLConfiguration configuration = new HTMLConfiguration();
        HTMLScanner scanner = configuration.getDocumentScanner();
        scanner.reset(configuration);
        scanner.setDocumentHandler(shown);
        scanner.setInputSource(new XMLInputSource(null, null, null, html, null));
        boolean more = true;
        while (more && !text.isCut()) {
            more = scanner.scanDocument(false);
        }
        shown.open.endAll();
    }

    @Override
    public void startElement(QName qualified, XMLAttributes attributes, @Nullable Augmentations ignored) {
        String name = qualified.getRawname().toLowerCase(Locale.ROOT);
        boolean block = PARAGRAPHS.contains(name) || LINES.contains(name);
        open.endBefore(name, block);
        if (EMPTY.contains(name)) {
            showEmpty(name, attributes);
            return;
        }
        if (!open.isHidden()) {
            lines(name);
            if ("li".equals(name)) {
                text.append("- ");
            }
        }
        Style style = Style.of(attributes.getValue("style"));
        boolean hidden = UNSEEN.contains(name) || attributes.getValue("hidden") != null || style.hidden();
        boolean tiny = style.tiny() == null ? open.isTiny() : style.tiny();
        String href = "a".equals(name) ? attributes.getValue("href") : null;
        open.start(new OpenElements.Element(name, hidden, tiny, href, text.length()));
    }

    @Override
    public void emptyElement(QName name, XMLAttributes attributes, @Nullable Augmentations ignored) {
        startElement(name, attributes, ignored);
        endElement(name, ignored);
    }

    @Override
    public void endElement(QName qualified, @Nullable Augmentations ignored) {
        String name = qualified.getRawname().toLowerCase(Locale.ROOT);
        if ("br".equals(name)) {
            showEmpty(name, null);
        } else if (!EMPTY.contains(name)) {
            open.end(name);
        }
    }

    @Override
    public void characters(XMLString characters, @Nullable Augmentations ignored) {
        if (open.isHidden() || open.isTiny()) {
            return;
        }
        show(characters.toString(), open.isOpen("pre"));
    }

    private void showEmpty(String name, @Nullable XMLAttributes attributes) {
        if (open.isHidden()) {
            return;
        }
        if ("br".equals(name)) {
            text.append('\n');
        } else if ("hr".equals(name)) {
            text.lineBreaks(2);
        } else if ("img".equals(name)
                && attributes != null
                && !Style.of(attributes.getValue("style")).hidden()) {
            String alt = attributes.getValue("alt");
            show(alt == null ? "" : alt, false);
        }
    }

    private void show(String more, boolean preformatted) {
        for (int i = 0; i < more.length() && !text.isCut(); ) {
            int c = Cleaned.codePointAt(more, i);
            i += Character.charCount(c);
            if (preformatted || !Cleaned.isSpace(c)) {
                if (cellBefore && !Cleaned.isSpace(c)) {
                    text.append(text.isAtLineStart() ? "" : " | ");
                    cellBefore = false;
                }
                text.append(c);
            } else if (!text.isAtSpace()) {
                text.append(' ');
            }
        }
    }

    private void closed(OpenElements.Element element) {
        if (open.isHidden() || element.hidden()) {
            return;
        }
        if (element.href() != null) {
            address(element.href().strip(), text.since(element.textBefore()).strip());
        }
        lines(element.name());
        if ("td".equals(element.name()) || "th".equals(element.name())) {
            cellBefore = true;
        } else if ("tr".equals(element.name())) {
            cellBefore = false;
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
        String address = Cleaned.line(href, MAX_LINK + 1);
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
