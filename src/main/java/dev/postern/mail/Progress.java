package dev.postern.mail;

import java.time.Duration;

/** How far reading came. */
sealed interface Progress {

    /** All that is there was read. */
    record UpToDate() implements Progress {}

    /** Nothing more can be accepted for now. */
    record Later(Duration pause) implements Progress {}

    /** There is more, and the folder is to be opened anew for it: Angus keeps something of each mail until it is closed. */
    record Enough() implements Progress {}

    /** Another node reads the mailbox. */
    record Lost() implements Progress {}
}
