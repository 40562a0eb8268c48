package dev.postern.mapping.script;

/** A test of the sandbox with attacks that get the whole budget of a request's script. */
class WholeBudgetContainmentTest extends ContainmentContract {

    WholeBudgetContainmentTest() {
        super(ScriptBudget.RUN, "rhino-attacks");
    }
}
