package dev.postern.app.launch;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The text of a file error, which says in words for a person why a file can't be read or written. */
final class FileErrorText {

    private FileErrorText() {}

    /** The operating system's message without the file's name, if there is one. */
    static String of(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "this process may not";
        }
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        }
        String reason = failure instanceof FileSystemException named
                ? named.getReason()
                : failure.getClass() == IOException.class ? failure.getMessage() : null;
        return reason == null ? failure.toString() : reason;
    }
}
