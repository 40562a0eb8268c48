package dev.postern.agent;

import java.util.Arrays;
import java.util.List;

/**
 * A search for text that a reader could take for a marker of the boundary: an opening bracket and the marker's letters in
 * order, in any case and any disguise. Anything but ASCII letters may stand between them.
 *
 * <p>A search in one folded copy of the text would miss disguises: a character may pass for two letters, or for a letter and
 * for nothing. So all readings are followed at once, as a set of places in the marker's letters, one bit each, that moves on
 * with each character (the bit-parallel search of Baeza-Yates and Gonnet). That is linear in the text, whatever it holds.
 * While the set is empty, as it is for ordinary text, only an opening bracket is looked for. An HTML tag or comment among
 * the letters is both read as text and skipped: the places before it continue behind it.
 */
final class BoundaryMarkers {

    private static final String LETTERS = "ENDEXTERNALUNTRUSTEDCONTENT";
    private static final int START_MARKER = LETTERS.indexOf("EXTERNAL");

    /** Bits 0 and 1: one and two fences of another kind. Bit 2: opened. Then a bit for each letter. */
    private static final int FENCE = 1;

    private static final int OPENED = 1 << 2;
    private static final int FIRST_LETTER = 3;
    private static final int COMPLETE = 1 << (FIRST_LETTER + LETTERS.length() - 1);
    private static final int IN_LETTERS = -(1 << FIRST_LETTER);

    private static final String COMMENT = "<!--";
    private static final String COMMENT_END = "-->";

    /** An index that no text has. */
    private static final int NOWHERE = Integer.MAX_VALUE;

    /** The places of each capital letter in the marker. */
    private static final int[] PLACES = places();

    /** Characters of which three in a row look like the brackets of a marker. */
    private static final String FENCES = "[({=\u00AB\u00D7\u2190\u227A\u27E6\u2045";

    /** The characters at which a match may begin. */
    private static final boolean[] MAY_OPEN = mayOpen();

    private final String text;
    private final DecodedCharacter decodedCharacter;
    private int places;
    private int start;
    private int lastOpening = -1;
    private final Detour tag = new Detour();
    private final Detour comment = new Detour();
    private int resumeAt = NOWHERE;
    private int commentEnd;

    private BoundaryMarkers(String text, boolean tagsAreRead) {
        this.text = text;
        this.decodedCharacter = new DecodedCharacter(text, tagsAreRead);
    }

    /** {@code text} with each marker in it replaced. */
    static String replaced(String text, boolean tagsAreRead, String replacement) {
        return new BoundaryMarkers(text, tagsAreRead).replaced(replacement);
    }

    private String replaced(String replacement) {
        StringBuilder result = null;
        int kept = 0;
        int at = 0;
        while (true) {
            if (places == 0) {
                int most = Math.min(text.length(), resumeAt);
                while (at < most && !MAY_OPEN[text.charAt(at)]) {
                    at++;
                }
            }
            if (at >= resumeAt) {
                resume(at);
                continue;
            }
            if (at >= text.length()) {
                break;
            }
            if (places != 0 && text.charAt(at) == '<') {
                passOver(at);
            }
            decodedCharacter.read(at);
            step(at, decodedCharacter.codePoint());
            at = decodedCharacter.end();
            if ((places & COMPLETE) != 0) {
                result = result == null ? new StringBuilder(text.length()) : result;
                result.append(text, kept, start).append(replacement);
                kept = at;
                places = 0;
                tag.leave();
                comment.leave();
                resumeAt = NOWHERE;
            }
        }
        return result == null ? text : result.append(text, kept, text.length()).toString();
    }

    /** Notes that the places continue behind the tag or comment that begins at {@code at}, if one does. */
    private void passOver(int at) {
        char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        if (next == '/' || isLetter(next)) {
            tag.enter(tagEnd(at + 1), places, start);
        } else if (next == '!' && text.startsWith(COMMENT, at)) {
            comment.enter(commentEnd(at + COMMENT.length()), places, start);
        }
        resumeAt = Math.min(tag.end, comment.end);
    }

    private void resume(int at) {
        for (Detour detour : List.of(tag, comment)) {
            if (at >= detour.end) {
                places |= detour.places;
                start = detour.start;
                detour.leave();
            }
        }
        resumeAt = Math.min(tag.end, comment.end);
    }

    /** The index behind the first end of a comment at or after {@code from}; each end is searched for once. */
    private int commentEnd(int from) {
        if (commentEnd < from) {
            int found = text.indexOf(COMMENT_END, from);
            commentEnd = found < 0 ? NOWHERE : found + COMMENT_END.length();
        }
        return commentEnd;
    }

    /** The index behind the tag whose name or slash is at {@code from}. */
    private int tagEnd(int from) {
        int at = from < text.length() && text.charAt(from) == '/' ? from + 1 : from;
        if (at >= text.length() || !isLetter(text.charAt(at))) {
            return NOWHERE;
        }
        while (at < text.length() && text.charAt(at) != '<' && text.charAt(at) != '>') {
            at++;
        }
        return at < text.length() && text.charAt(at) == '>' ? at + 1 : NOWHERE;
    }

    private void step(int at, int c) {
        boolean ascii = c < 0x80;
        boolean bracket = ascii ? c == '<' : LookAlikeCharacters.opens(c);
        boolean opening = bracket || FENCES.indexOf(c) >= 0;
        boolean skipped = !ascii || (!isLetter(c) && c != '<' && c != '>');
        int next = skipped ? places : 0;
        if (ascii) {
            next |= moved(places, asciiPlaces(c));
        } else if (places != 0) {
            for (String reading : LookAlikeCharacters.of(c)) {
                next |= moved(places, reading);
            }
        }
        if (opening && (next & IN_LETTERS) == 0 && lastOpening != at) {
            start = at;
        }
        if (bracket) {
            next |= OPENED;
        } else if (opening) {
            next |= FENCE | (places & (FENCE | FENCE << 1)) << 1;
        }
        if (opening) {
            lastOpening = decodedCharacter.end();
        }
        places = next;
    }

    /** The places one letter further than each of {@code places}, as far as {@code allowed} has that letter. */
    private static int moved(int places, int allowed) {
        int onwards = (places & -OPENED) << 1;
        int pastEnd = (places & OPENED) << (START_MARKER + 1);
        return (onwards | pastEnd) & allowed;
    }

    private static int moved(int places, String reading) {
        int moved = places;
        for (int i = 0; i < reading.length() && moved != 0; i++) {
            char c = reading.charAt(i);
            moved = isLetter(c) ? moved(moved, PLACES[c - 'A']) : c == '<' || c == '>' ? 0 : moved;
        }
        return moved;
    }

    /** The places in the marker where an ASCII character may stand: as itself, or as a letter that it often stands for. */
    private static int asciiPlaces(int c) {
        int letter = isLetter(c) ? c & ~0x20 : 0;
        int disguised =
                switch (c) {
                    case '0' -> 'O';
                    case '1', '!', '|', 'I' -> 'L';
                    case '3' -> 'E';
                    case '4', '@' -> 'A';
                    case '5', '$' -> 'S';
                    case '7', '+' -> 'T';
                    case '(' -> 'C';
                    default -> 0;
                };
        return (letter == 0 ? 0 : PLACES[letter - 'A']) | (disguised == 0 ? 0 : PLACES[disguised - 'A']);
    }

    private static boolean isLetter(int c) {
        return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }

    private static int[] places() {
        int[] places = new int[26];
        for (int i = 0; i < LETTERS.length(); i++) {
            places[LETTERS.charAt(i) - 'A'] |= 1 << (FIRST_LETTER + i);
        }
        return places;
    }

    private static boolean[] mayOpen() {
        boolean[] may = new boolean[Character.MIN_SUPPLEMENTARY_CODE_POINT];
        for (int c = 0; c < may.length; c++) {
            may[c] = c == '<'
                    || CharacterReference.isAmpersand(c)
                    || FENCES.indexOf(c) >= 0
                    || LookAlikeCharacters.opens(c);
        }
        Arrays.fill(may, Character.MIN_HIGH_SURROGATE, Character.MAX_HIGH_SURROGATE + 1, true);
        return may;
    }

    /** A detour around a tag or a comment: the places that wait for its end. */
    private static final class Detour {

        private int end = NOWHERE;
        private int places;
        private int start;

        /** Adds places. Earlier ones wait for the same end, or for one that was passed. */
        void enter(int newEnd, int newPlaces, int newStart) {
            if (newEnd == NOWHERE) {
                return;
            }
            start = places == 0 ? newStart : start;
            places |= newPlaces;
            end = newEnd;
        }

        void leave() {
            end = NOWHERE;
            places = 0;
        }
    }
}
