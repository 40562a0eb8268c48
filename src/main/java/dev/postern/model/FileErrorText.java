package dev.postern.model;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a file error, which says in words for a person why a file can't be read or written. */
public final class FileErrorText {

    private FileErrorText() {}

    /** The words after a file's name for a file that can't be read, with the reason. */
    public static String unreadable(IOException failure) {
        return "can't be read: " + of(failure);
    }

    /**
     * The operating system's message, if there is one, without the file's name: that is often the name of a temporary file
     * beside the one that the person knows. A link to nothing is named, since the person may know a file below it.
     */
    public static String of(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "this process may not";
        }
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        }
        if (failure instanceof FileAlreadyExistsException there && isLinkToNothing(Path.of(there.getFile()))) {
            return there.getFile() + " is a link to nothing";
        }
        String reason = failure instanceof FileSystemException named
                ? named.getReason()
                : failure.getClass() == IOException.class ? failure.getMessage() : null;
        return reason == null ? failure.toString() : reason;
    }

    private static boolean isLinkToNothing(Path file) {
        return Files.isSymbolicLink(file) && !Files.exists(file);
    }
}
