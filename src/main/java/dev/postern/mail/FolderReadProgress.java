package dev.postern.mail;

import java.time.Duration;

/** How far reading came. */
sealed interface FolderReadProgress {

    /** All that is there was read. */
    record UpToDate() implements FolderReadProgress {}

    /** Nothing more can be accepted for now. */
    record Later(Duration pause) implements FolderReadProgress {}

    /** There is more, and the folder is to be opened anew for it: Angus keeps something of each mail until it is closed. */
    record Enough() implements FolderReadProgress {}

    /** Another node reads the mailbox. */
    record Lost() implements FolderReadProgress {}
}
