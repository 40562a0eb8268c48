package dev.postern.mail;

import java.time.Duration;

/** How far reading came. */
sealed interface Progress {

    /** All that is there was read. */
    record UpToDate() implements Progress {}

    /** Nothing more can be accepted for now. */
    record Later(Duration pause) implements Progress {}

    /** Another node reads the mailbox. */
    record Lost() implements Progress {}
}
