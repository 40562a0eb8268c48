package dev.postern.channel.text;

/** A dialect without any markup, for iMessage. */
final class PlainDialect extends MarkupDialect {

    @Override
    Tables tables() {
        return Tables.NAMED;
    }
}
