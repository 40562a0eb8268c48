package dev.postern.channel;

import dev.postern.channel.text.CodeFile;
import dev.postern.channel.text.MessagePart;
import java.util.List;

/** A channel to a product that takes files. A long block of code goes there as a file. */
public interface FileChannel extends Channel {

    /**
     * The texts and files of the messages for a reply, in order: as {@link #parts}, except that fenced code that fits into no
     * message is a file. If the product refuses the file, the {@link #parts} of its text are sent instead.
     *
     * @param reply Markdown, as models write it
     */
    List<MessagePart> partsWithFiles(String reply);

    /**
     * Sends one part as a file, within the channel's own time limit. Called by several threads at a time.
     *
     * @param message the message of the part, whose text is not sent
     */
    Outcome sendFile(Message message, CodeFile file);
}
