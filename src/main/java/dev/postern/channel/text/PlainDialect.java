package dev.postern.channel.text;

/** No markup at all, as iMessage has none. */
final class PlainDialect extends MarkupDialect {

    @Override
    Tables tables() {
        return Tables.NAMED;
    }
}
