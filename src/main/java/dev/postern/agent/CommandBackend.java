package dev.postern.agent;

import dev.postern.model.Secret;
import dev.postern.model.SessionId;
import dev.postern.model.Sha256;
import dev.postern.net.OwnerOnlyFiles;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A backend that starts a local program for each turn, in the agent's workspace.
 *
 * <ul>
 *   <li>Standard input is the message, in UTF-8. Instructions are in {@code AGENTS.md} beside it. A program that wants to
 *       remember keeps its own history under {@code POSTERN_SESSION_KEY}.
 *   <li>Standard output is the reply, in UTF-8, up to 1 MiB; the last lines of standard error are kept for operators if
 *       it fails.
 *   <li>Exit code 0 means a reply, any other code a failure.
 *   <li>The environment holds the basics ({@code PATH}, {@code HOME}, language, time zone), {@code POSTERN_RUN_ID},
 *       {@code POSTERN_AGENT_ID}, {@code POSTERN_SESSION_KEY}, {@code POSTERN_MODEL}, {@code POSTERN_THINKING} if the turn
 *       names a level, {@code POSTERN_LANE}, a name for the agent's session in this home, and {@code POSTERN_TURN}, one for the run in
 *       this database. It also holds the variables that are configured for the program, which may replace
 *       the basics. It holds nothing else, so that no secret of the server reaches the program.
 *   <li>All processes that the program has started end with the turn, see {@link ProcessTree}. Processes that were left when
 *       Postern was killed end before the session's next turn.
 * </ul>
 *
 * The message is passed as a file that loses its name before the program reads it: a pipe would block this thread while the
 * program doesn't read.
 */
final class CommandBackend implements Backend {

    private static final Logger LOG = System.getLogger(CommandBackend.class.getName());

    /** The environment variable that marks the processes of a turn, on whichever node that shares the database. */
    private static final String TURN = "POSTERN_TURN";

    /** The environment variable that marks the processes of a session's turns. */
    private static final String SESSION = "POSTERN_LANE";

    private static final long LOOK_EVERY_MILLIS = 20;

    /** Enough to empty any pipe that a program has left full, without following a pipe that is still being filled. */
    private static final int LAST_ROUNDS = 128;

    /** More than the error text that is kept, so that the cut tears no secret in that text apart. */
    private static final int LAST_ERROR_BYTES = 16 * 1024;

    private final List<String> command;
    private final Map<String, Secret> variables;
    private final Path scratch;
    private final String database;

    /**
     * Creates a backend for one program.
     *
     * @param command the program and its arguments, at least one
     * @param variables additional environment variables
     * @param scratch the directory that holds a message while the program starts, readable for the owner alone
     * @param database the location of the database; a copy elsewhere has the same turns, and their programs are others
     */
    CommandBackend(List<String> command, Map<String, Secret> variables, Path scratch, String database) {
        this.command = List.copyOf(command);
        this.variables = Map.copyOf(variables);
        this.scratch = scratch;
        this.database = database;
    }

    @Override
    public String providerName() {
        return "command";
    }

    @Override
    public TurnResult takeTurn(BackendPrompt prompt, TurnCancellation turnCancellation) {
        ProcessTree.endAll(turn(prompt), session(prompt));
        try {
            OwnerOnlyFiles.createGroupDirectories(prompt.workspace());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The workspace [{0}] cannot be made: {1}", prompt.workspace(), e);
            return failed("cannot be started: the workspace of agent " + prompt.agentId() + " cannot be made");
        }
        if (turnCancellation.isRequested()) {
            return turnCancellation.outcome().join();
        }
        Process process;
        try {
            process = start(prompt);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The command [{0}] cannot be started: {1}", command.get(0), e);
            return failed("cannot be started: is it installed and executable?");
        }
        // Not by the turn's marker: a node that thaws must not end the program of the node that took its turn over.
        return new ProgramExecution(process, new ProcessTree(process, session(prompt)), prompt.recorder())
                .outcome(turnCancellation);
    }

    private Process start(BackendPrompt prompt) throws IOException {
        OwnerOnlyFiles.createDirectories(scratch);
        Path input = Files.createTempFile(scratch, "turn-", ".txt");
        try {
            Files.writeString(input, prompt.message().text());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(prompt.workspace().toFile())
                    .redirectInput(input.toFile());
            Map<String, String> environment = MinimalEnvironment.of(builder);
            variables.forEach((name, value) -> environment.put(name, value.reveal()));
            environment.put("POSTERN_RUN_ID", prompt.turnId());
            environment.put(TURN, turn(prompt).value());
            environment.put("POSTERN_AGENT_ID", prompt.agentId());
            environment.put("POSTERN_SESSION_KEY", prompt.sessionKey().value());
            environment.put("POSTERN_MODEL", prompt.model());
            String thinking = prompt.thinking();
            if (thinking != null) {
                environment.put("POSTERN_THINKING", thinking);
            }
            return ProgramLauncher.start(builder, session(prompt));
        } finally {
            Files.delete(input);
        }
    }

    private ProcessMarker turn(BackendPrompt prompt) {
        return new ProcessMarker(TURN, Sha256.name(database + "\0" + prompt.turnId(), 16));
    }

    /**
     * The marker of all turns of the prompt's session in this home, and of no others. A session has one turn at a time, and
     * a heartbeat's turn has another id in each attempt.
     */
    private ProcessMarker session(BackendPrompt prompt) {
        SessionId session = SessionId.of(prompt.agentId(), prompt.sessionKey());
        return new ProcessMarker(SESSION, Sha256.name(scratch.toAbsolutePath() + "\0" + session.value(), 16));
    }

    private TurnResult.Failed failed(String how) {
        return new TurnResult.Failed("command " + command.get(0) + " " + how);
    }

    /** One execution of the program, from its start to its end. */
    private final class ProgramExecution {

        private final Process process;
        private final ProcessTree tree;
        private final TurnRecorder recorder;

        ProgramExecution(Process process, ProcessTree tree, TurnRecorder recorder) {
            this.process = process;
            this.tree = tree;
            this.recorder = recorder;
        }

        TurnResult outcome(TurnCancellation turnCancellation) {
            try (OutputCollector output = OutputCollector.ofBeginning(process.getInputStream(), ReplyText.MAX_BYTES);
                    OutputCollector errors = OutputCollector.ofEnd(process.getErrorStream(), LAST_ERROR_BYTES)) {
                do {
                    if (turnCancellation.isRequested()) {
                        tree.end();
                        return turnCancellation.outcome().join();
                    }
                    tree.note();
                } while (!process.waitFor(tookSome(output, errors) ? 0 : LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS));
                tree.end();
                for (int round = 0; round < LAST_ROUNDS && tookSome(output, errors); round++) {}
                return ended(process.exitValue(), output, errors);
            } catch (InterruptedException e) {
                tree.end();
                Thread.currentThread().interrupt();
                return new TurnResult.Interrupted("the end of its thread");
            } catch (RuntimeException | Error e) {
                tree.end();
                throw e;
            } catch (IOException e) {
                tree.end();
                return failed("could not be read: " + e.getClass().getSimpleName());
            }
        }

        private static boolean tookSome(OutputCollector output, OutputCollector errors) throws IOException {
            boolean some = output.take();
            return errors.take() || some;
        }

        private TurnResult ended(int exitCode, OutputCollector output, OutputCollector errors) {
            if (exitCode == 0) {
                return new TurnResult.Replied(output.text());
            }
            recorder.recordErrorText(new ErrorText(variables.values()).end(errors.lastText()));
            return failed("ended with exit code " + exitCode
                    + (errors.count() == 0 ? "" : " and " + errors.count() + " bytes on standard error"));
        }
    }
}
