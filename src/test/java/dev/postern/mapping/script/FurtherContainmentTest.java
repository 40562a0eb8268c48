package dev.postern.mapping.script;

/** A test of the sandbox with further attacks, by scripts and by modules. */
class FurtherContainmentTest extends ContainmentContract {

    FurtherContainmentTest() {
        super(SMALL, "rhino-further");
    }
}
