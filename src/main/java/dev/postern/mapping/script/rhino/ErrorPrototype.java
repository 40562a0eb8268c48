package dev.postern.mapping.script.rhino;

import dev.postern.mapping.script.ScriptMeter;
import org.mozilla.javascript.Scriptable;

/**
 * The prototype by which Rhino knows how to write an error's stack. Rhino takes the error's own prototype for one of the
 * language's, and fails on an error of a class that a script declares.
 */
public final class ErrorPrototype {

    private ErrorPrototype() {}

    /** Gives the nearest prototype of {@code error} that is one of the language's; {@code error} itself if there is none. */
    public static Scriptable of(Scriptable error) {
        Scriptable prototype = error.getPrototype();
        while (prototype != null && prototype.getClass() != error.getClass()) {
            ScriptMeter.tick();
            prototype = prototype.getPrototype();
        }
        return prototype == null ? error : prototype;
    }
}
