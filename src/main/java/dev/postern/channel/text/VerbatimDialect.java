package dev.postern.channel.text;

/** Markdown as it came: a block's language is the whole line that opened its fence. */
final class VerbatimDialect extends Dialect {

    @Override
    String separator() {
        return "\n";
    }

    @Override
    Wrap fence(String language, String code) {
        return new Wrap(language + "\n", "\n" + Fences.closing(language));
    }
}
