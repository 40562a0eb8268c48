package dev.postern.mail.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's metadata of a mail.
 *
 * @param uid {@code <uidvalidity>-<uid>}, which identifies the mail in its folder (RFC 3501, section 2.3.1.1)
 * @param gmailId X-GM-MSGID in hex, as Gmail's own interface writes it; null elsewhere
 * @param gmailThread X-GM-THRID in hex; null elsewhere
 * @param labels the folder, or Gmail's labels
 */
public record ServerMetadata(String uid, @Nullable String gmailId, @Nullable String gmailThread, List<String> labels) {

    public ServerMetadata {
        labels = List.copyOf(labels);
    }
}
