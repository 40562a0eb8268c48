package dev.postern.acceptance;

import dev.postern.model.EventId;
import dev.postern.model.Receipt;
import dev.postern.model.RunId;
import dev.postern.model.SessionKey;
import dev.postern.model.WakeMode;
import java.util.List;
import java.util.stream.Collectors;

/** Receipts as one text: a line each, {@code event <id> <mode>} or {@code run <id> <session key>}. Keys hold no line breaks. */
final class Receipts {

    private Receipts() {}

    static String encode(List<Receipt> receipts) {
        return receipts.stream().map(Receipts::line).collect(Collectors.joining("\n"));
    }

    static List<Receipt> decode(String text) {
        return text.lines().map(Receipts::receipt).toList();
    }

    private static String line(Receipt receipt) {
        if (receipt instanceof Receipt.Event event) {
            return "event " + event.id() + " " + event.mode().wire();
        }
        Receipt.Run run = (Receipt.Run) receipt;
        return "run " + run.id() + " " + run.sessionKey();
    }

    private static Receipt receipt(String line) {
        String[] words = line.split(" ", 3);
        if (words[0].equals("event")) {
            return new Receipt.Event(
                    new EventId(words[1]), WakeMode.of(words[2]).orElseThrow());
        }
        return new Receipt.Run(new RunId(words[1]), new SessionKey(words[2]));
    }
}
