package dev.postern.channel.text;

/** WhatsApp's styles; it makes lists and quotes of lines that begin as in Markdown, and links of addresses. */
final class WhatsAppDialect extends MarkedDialect {

    @Override
    String bullet() {
        return "- ";
    }

    @Override
    void character(StringBuilder out, char c) {
        out.append(c);
    }
}
