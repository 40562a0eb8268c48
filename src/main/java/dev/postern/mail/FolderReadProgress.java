package dev.postern.mail;

import java.time.Duration;

/** The progress of one pass over a folder. */
sealed interface FolderReadProgress {

    /** The progress when all mails were read. */
    record UpToDate() implements FolderReadProgress {}

    /** The progress when no more mails can be read or accepted for now; {@code pause} is the time until the next pass. */
    record Later(Duration pause) implements FolderReadProgress {}

    /** The progress when the folder must be reopened before more mails are read, because Angus keeps data of each mail. */
    record Enough() implements FolderReadProgress {}

    /** The progress when another node reads the mailbox, or this one must stop. */
    record Lost() implements FolderReadProgress {}
}
