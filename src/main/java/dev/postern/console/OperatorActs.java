package dev.postern.console;

import dev.postern.acceptance.BeatNow;
import dev.postern.acceptance.Cancellation;
import dev.postern.acceptance.Intake;
import dev.postern.acceptance.RunAgain;
import dev.postern.access.Lockouts;
import dev.postern.channel.Handled;
import dev.postern.console.Act.Outcome;
import dev.postern.console.Act.Outcome.Done;
import dev.postern.console.Act.Outcome.Later;
import dev.postern.console.Act.Outcome.Missing;
import dev.postern.console.Act.Outcome.Refused;
import dev.postern.dispatch.Desk;
import dev.postern.model.RunId;
import dev.postern.store.StoreException;
import java.util.Map;

/** All that an operator may have done. */
final class OperatorActs {

    private final Intake intake;
    private final Desk desk;
    private final Lockouts lockouts;

    OperatorActs(Intake intake, Desk desk, Lockouts lockouts) {
        this.intake = intake;
        this.desk = desk;
        this.lockouts = lockouts;
    }

    /** Each by the kind of thing and the verb. */
    Map<String, Act> byName() {
        return Map.of(
                "runs/again", this::runAgain,
                "runs/cancel", this::cancel,
                "deliveries/again", this::tryAgain,
                "deliveries/abandon", this::giveUp,
                "agents/beat", this::beat,
                "clients/unlock", this::unlock);
    }

    private Outcome runAgain(String id) throws StoreException {
        RunAgain outcome = intake.again(new RunId(id));
        if (outcome instanceof RunAgain.Accepted accepted) {
            return new Done(
                    "It is accepted once more, as this run.",
                    "runs/" + accepted.id().value());
        }
        if (outcome instanceof RunAgain.NotEnded running) {
            return new Refused("The run is " + running.state().wire() + " yet: it can be run again when it has ended.");
        }
        if (outcome instanceof RunAgain.Overloaded) {
            return new Later("Too many accepted actions wait (hooks.maxPending): try again later.");
        }
        if (outcome instanceof RunAgain.Unavailable) {
            return new Later("The database does not answer; nothing was done. Try again in a moment.");
        }
        return outcome instanceof RunAgain.Uncertain
                ? new Later("The database did not say whether it took it: look at the runs before you try again.")
                : new Missing();
    }

    private Outcome cancel(String id) throws StoreException {
        Cancellation outcome = desk.cancel(new RunId(id));
        String see = "runs/" + id;
        if (outcome instanceof Cancellation.Cancelled) {
            return new Done("The run is cancelled.", see);
        }
        if (outcome instanceof Cancellation.BeingCancelled) {
            return new Done("Its turn is being ended, within some seconds.", see);
        }
        return outcome instanceof Cancellation.HadEnded ended
                ? new Refused("The run had ended already: " + ended.state().wire() + ".")
                : new Missing();
    }

    private Outcome beat(String agentId) throws StoreException {
        BeatNow.Answer answer = desk.beat(agentId);
        return switch (answer) {
            case DUE -> new Done("The heartbeat of " + agentId + " is due now.", "sessions");
            case UNDER_WAY -> new Refused("A heartbeat of " + agentId + " is under way.");
            case NO_SUCH_AGENT -> new Missing();
        };
    }

    private Outcome tryAgain(String id) throws StoreException {
        return delivery(desk.tryAgain(id), "The delivery is tried again now.");
    }

    private Outcome giveUp(String id) throws StoreException {
        return delivery(desk.giveUp(id), "The delivery is given up.");
    }

    private static Outcome delivery(Handled handled, String done) {
        if (handled instanceof Handled.Done) {
            return new Done(done, "deliveries");
        }
        if (handled instanceof Handled.BeingSent) {
            return new Refused("The delivery is being sent at this moment: try again in a moment.");
        }
        if (handled instanceof Handled.Ended ended) {
            return new Refused("The delivery has ended: " + ended.state().wire() + ".");
        }
        return handled instanceof Handled.Unfit unfit ? new Refused(unfit.reason()) : new Missing();
    }

    private Outcome unlock(String address) {
        return lockouts.unlock(address)
                ? new Done(address + " may try again.", "settings")
                : new Refused(address + " is not locked out here.");
    }
}
