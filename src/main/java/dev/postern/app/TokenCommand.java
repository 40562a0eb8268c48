package dev.postern.app;

import dev.postern.config.ProcessEnvironment;
import dev.postern.config.SenderUpdate;
import dev.postern.config.SenderUpdatePlan;
import dev.postern.model.FileErrorText;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** The command {@code token new}, which makes a token for a sender and keeps its hash alone. */
public final class TokenCommand {

    private static final String UNCHANGED = "Nothing was changed.";

    private TokenCommand() {}

    /**
     * Makes a token for a sender, writes its hash to {@code senders.yaml}, and prints it.
     *
     * @param out gets the token alone, so that a script can take it
     * @param err gets the problems, the warnings about the sender, and what to do next
     * @param options the values by the names of the settings below {@code senders.<id>}, and {@code id}
     * @return 0 if the token will work from the next start on; 2 if a new sender's hooks are not named, else 1; nothing was
     *     changed then, unless the token can't be printed
     */
    public static int create(PrintStream out, PrintStream err, Map<String, String> options) {
        return create(ProcessEnvironment.ofProcess(name -> null), out, err, options);
    }

    static int create(ProcessEnvironment environment, PrintStream out, PrintStream err, Map<String, String> options) {
        Map<String, String> settings = new LinkedHashMap<>(options);
        String id = String.valueOf(settings.remove("id"));
        SenderUpdatePlan plan = SenderUpdatePlan.of(environment, id, settings);
        if (plan instanceof SenderUpdate planned) {
            try {
                plan = planned.write();
            } catch (IOException e) {
                err.println(
                        "postern: " + planned.file() + " can't be written: " + FileErrorText.of(e) + ". " + UNCHANGED);
                return 1;
            }
        }
        if (plan instanceof SenderUpdatePlan.MissingHooks) {
            err.println("postern: token new needs --hooks, the names of the hooks that the new sender " + id
                    + " may call. " + UNCHANGED);
            return 2;
        }
        return plan instanceof SenderUpdate written
                ? tell(out, err, id, written)
                : reject(err, (SenderUpdatePlan.InvalidSender) plan);
    }

    private static int reject(PrintStream err, SenderUpdatePlan.InvalidSender invalid) {
        invalid.problems().forEach(problem -> err.println("problem: " + problem));
        err.println(UNCHANGED);
        return 1;
    }

    private static int tell(PrintStream out, PrintStream err, String id, SenderUpdate update) {
        out.println(update.token().reveal());
        if (out.checkError()) { // a PrintStream throws nothing
            err.println("postern: the token can't be printed, so that nobody knows it. " + update.file()
                    + " has its hash as the last one of " + id + ": remove that hash, and make another token.");
            return 1;
        }
        update.warnings().forEach(warning -> err.println("warning: " + warning));
        err.println("This token is shown once. " + update.file() + " keeps its hash.");
        err.println(
                switch (update.tokens()) {
                    case ONE -> "The sender " + id + " has this token from the next start on.";
                    case TWO ->
                        "The sender " + id
                                + " has this token beside its earlier one from the next start on. Remove the first"
                                + " hash there when the earlier one is used no more.";
                    case TWO_OF_THREE ->
                        "The sender " + id
                                + " has this token and the one before it from the next start on. The first of the"
                                + " three stops working then.";
                });
        return 0;
    }
}
