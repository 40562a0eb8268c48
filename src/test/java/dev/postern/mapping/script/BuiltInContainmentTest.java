package dev.postern.mapping.script;

/** A test of the sandbox with attacks by built-in functions, and inside the JDK. */
class BuiltInContainmentTest extends ContainmentContract {

    BuiltInContainmentTest() {
        super(SMALL, "rhino-built-ins", "rhino-below");
    }
}
