package dev.postern.mail.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A detector of a text's charset, from the name that the sender gave and from the bytes themselves. Names are read as
 * browsers read them (encoding.spec.whatwg.org), because senders look at their mails in browsers.
 */
final class CharsetDetector {

    /** The most characters of a name that are read. */
    private static final int MAX_NAME_CHARS = 100;

    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

    /** Charset names that senders use for a wider charset, and some unregistered names. */
    private static final Map<String, String> WIDER = Map.ofEntries(
            Map.entry("gb2312", "GB18030"),
            Map.entry("gb_2312-80", "GB18030"),
            Map.entry("x-gbk", "GB18030"),
            Map.entry("gbk", "GB18030"),
            Map.entry("euc-kr", "x-windows-949"),
            Map.entry("ks_c_5601-1987", "x-windows-949"),
            Map.entry("ks_c_5601", "x-windows-949"),
            Map.entry("cp949", "x-windows-949"),
            Map.entry("shift_jis", "windows-31j"),
            Map.entry("shift-jis", "windows-31j"),
            Map.entry("x-sjis", "windows-31j"),
            Map.entry("sjis", "windows-31j"),
            Map.entry("iso-2022-jp", "x-windows-iso2022jp"),
            Map.entry("big5", "Big5-HKSCS"),
            Map.entry("tis-620", "x-windows-874"),
            Map.entry("iso-8859-11", "x-windows-874"),
            Map.entry("iso-8859-9", "windows-1254"),
            Map.entry("iso-8859-8-i", "ISO-8859-8"),
            Map.entry("macintosh", "x-MacRoman"),
            Map.entry("csmacintosh", "x-MacRoman"),
            Map.entry("mac", "x-MacRoman"),
            Map.entry("x-mac-roman", "x-MacRoman"),
            Map.entry("x-mac-cyrillic", "x-MacCyrillic"),
            Map.entry("x-mac-ukrainian", "x-MacUkraine"),
            Map.entry("unicode-1-1-utf-8", "UTF-8"));

    private CharsetDetector() {}

    /** Decodes {@code bytes}; bytes that are invalid in the chosen charset become U+FFFD. */
    static String decode(byte[] bytes, String name) {
        return new String(bytes, of(name, bytes, bytes.length, true));
    }

    /**
     * The charset to read {@code bytes} by. A known name counts, unless the bytes are invalid in that charset but valid
     * UTF-8. Without a known name the charset is UTF-8 if that makes sense, else windows-1252.
     *
     * @param name the sender's name for the charset, possibly with quotes and typing errors
     * @param bytes the text or its beginning
     * @param length number of bytes that count
     * @param whole whether nothing follows, so that half a character at the end is an error
     */
    static Charset of(String name, byte[] bytes, int length, boolean whole) {
        Charset named = lookUp(name);
        Utf8Validator utf8 = Utf8Validator.of(bytes, length, whole);
        if (named == null || named.equals(StandardCharsets.UTF_8)) {
            return utf8.characters() >= utf8.faults() ? StandardCharsets.UTF_8 : WINDOWS_1252;
        }
        if (named.equals(StandardCharsets.UTF_16)) {
            return utf16(bytes, length);
        }
        boolean ratherUtf8 =
                utf8.characters() > 0 && utf8.faults() == 0 && (isSingleByte(named) || !isValid(named, bytes, length));
        return ratherUtf8 ? StandardCharsets.UTF_8 : named;
    }

    private static @Nullable Charset lookUp(String sent) {
        String name = SingleLineText.cut(sent, MAX_NAME_CHARS)
                .replaceAll("[\"'\\s;,<>]+", "")
                .toLowerCase(Locale.ROOT);
        if (name.startsWith("charset=")) {
            name = name.substring("charset=".length());
        }
        if (name.matches(
                "iso[-_ ]?8859[-_]?1|latin-?1|l1|cp-?1252|us-?ascii|ascii|ansi_x3\\.4-19(68|86)|utf-?7|unicode-1-1-utf-7")) {
            return null;
        }
        if (name.matches("utf_?8(mb4)?|utf-8.+")) {
            return StandardCharsets.UTF_8;
        }
        name = name.replaceAll("^cp-(?=\\d)", "cp").replaceAll("^(windows|iso|koi8)_?(?=\\d)", "$1-");
        Charset wider = named(WIDER.getOrDefault(name, name));
        return wider == null ? named(name) : wider;
    }

    private static boolean isSingleByte(Charset charset) {
        return charset.canEncode() && charset.newEncoder().maxBytesPerChar() == 1.0f;
    }

    private static Charset utf16(byte[] bytes, int length) {
        boolean marked = length > 1 && ((bytes[0] & 0xFF) == 0xFE || (bytes[0] & 0xFF) == 0xFF);
        if (marked) {
            return StandardCharsets.UTF_16;
        }
        return length > 1 && bytes[0] != 0 && bytes[1] == 0 ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
    }

    private static boolean isValid(Charset charset, byte[] bytes, int length) {
        try {
            charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** The charset of that name; null if this JDK has none. */
    private static @Nullable Charset named(String name) {
        try {
            return name.isEmpty() ? null : Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }
}
