package dev.postern.channel.text;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * An HTML document of a reply, for mails. It loads nothing: an image becomes a link. HTML within the reply is shown as
 * text, and an address with another scheme than http, https, mailto or tel is no link.
 */
public final class HtmlDocument {

    private HtmlDocument() {}

    /**
     * The document of {@code reply}.
     *
     * @param reply Markdown, as models write it
     */
    public static String of(String reply) {
        String body = MarkdownParser.isParsable(reply)
                ? renderer(AddressBudget.of(reply)).render(MarkdownParser.parse(reply))
                : "<pre>" + escaped(reply) + "</pre>\n";
        return "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n"
                + CharacterClasses.withoutOverrides(body)
                + "</body></html>\n";
    }

    private static HtmlRenderer renderer(AddressBudget addresses) {
        return HtmlRenderer.builder()
                .extensions(List.of(TablesExtension.create(), StrikethroughExtension.create()))
                .escapeHtml(true)
                .nodeRendererFactory(context -> new LinkRenderer(context, addresses))
                .softbreak("<br>\n")
                .build();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** A renderer of links and images, both as links. */
    private static final class LinkRenderer implements NodeRenderer {

        private final HtmlNodeRendererContext context;
        private final HtmlWriter html;
        private final AddressBudget addresses;

        LinkRenderer(HtmlNodeRendererContext context, AddressBudget addresses) {
            this.context = context;
            this.html = context.getWriter();
            this.addresses = addresses;
        }

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(Link.class, Image.class);
        }

        @Override
        public void render(Node node) {
            String destination = node instanceof Link link ? link.getDestination() : ((Image) node).getDestination();
            if (isWithinLink(node) || !addresses.take(destination)) {
                children(node);
                return;
            }
            @Nullable LinkAddress address = LinkAddress.of(destination);
            if (address != null) {
                html.tag("a", Map.of("href", address.url()));
            }
            if (node.getFirstChild() == null) {
                html.text(address == null ? destination : address.shown());
            }
            children(node);
            if (address != null) {
                html.tag("/a");
                if (address.isDisguisedBy(LinkLabel.of(node))) {
                    behind(destination);
                }
            } else if (node.getFirstChild() != null) {
                html.text(" (" + destination + ")");
            }
            NestedImages.addresses(node, destination).stream()
                    .filter(addresses::take)
                    .forEach(this::behind);
        }

        private static boolean isWithinLink(Node node) {
            for (@Nullable Node around = node.getParent(); around != null; around = around.getParent()) {
                if (around instanceof Link || around instanceof Image) {
                    return true;
                }
            }
            return false;
        }

        private void children(Node node) {
            for (@Nullable Node child = node.getFirstChild(); child != null; child = child.getNext()) {
                context.render(child);
            }
        }

        /** Writes an address in brackets behind the text that it belongs to. */
        private void behind(String destination) {
            @Nullable LinkAddress address = LinkAddress.of(destination);
            html.text(" (");
            if (address == null) {
                html.text(destination);
            } else {
                html.tag("a", Map.of("href", address.url()));
                html.text(address.shown());
                html.tag("/a");
            }
            html.text(")");
        }
    }
}
