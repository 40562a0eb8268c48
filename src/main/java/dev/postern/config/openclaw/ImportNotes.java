package dev.postern.config.openclaw;

import dev.postern.config.ValueOrigin;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A collector of notes, each once. */
final class ImportNotes {

    private final Path main;
    private final Set<ImportNote> notes = new LinkedHashSet<>();

    /** @param main the file that is imported, which may include others */
    ImportNotes(Path main) {
        this.main = main;
    }

    /**
     * Notes that a setting is not taken.
     *
     * @param because a clause for the operator, such as {@code Postern has no voice}
     */
    void notTaken(ValueOrigin origin, String setting, String because) {
        notes.add(new ImportNote(origin, setting, "not taken: " + because));
    }

    /** As {@link #notTaken(ValueOrigin, String, String)}, with what to write or do instead. */
    void notTaken(ValueOrigin origin, String setting, String because, String instead) {
        notTaken(origin, setting, because + "; " + instead);
    }

    /** Notes that a setting is taken, and works otherwise than in OpenClaw. */
    void differs(ValueOrigin origin, String setting, String how) {
        notes.add(new ImportNote(origin, setting, "differs: " + how));
    }

    /** All notes in the order of the file's lines; those of included files come after it. */
    List<ImportNote> sorted() {
        List<String> included = notes.stream().map(ImportNotes::file).distinct().toList();
        return notes.stream()
                .sorted(Comparator.comparing((ImportNote note) -> !note.origin().isIn(main))
                        .thenComparing(note -> included.indexOf(file(note)))
                        .thenComparing(note -> note.origin().line()))
                .toList();
    }

    private static String file(ImportNote note) {
        return note.origin().withoutColumn().replaceFirst(":\\d+$", "");
    }
}
