package dev.postern.mapping.script.rhino;

import dev.postern.mapping.script.ScriptEngine;
import dev.postern.mapping.script.ScriptProblem;
import dev.postern.mapping.script.ScriptTerminated;
import dev.postern.mapping.script.SourceLineMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The messages for a script's errors that may be shown: the position and the kind. The script's own message may hold words
 * of the payload and is kept apart.
 */
final class ScriptErrorMessages {

    private static final int LONGEST_DETAIL = 500;
    private static final Set<String> STANDARD = Set.of(
            "Error",
            "TypeError",
            "RangeError",
            "SyntaxError",
            "ReferenceError",
            "URIError",
            "EvalError",
            "AggregateError",
            "InternalError");

    /** The pattern of the first line of an error's stack. */
    private static final Pattern FRAME = Pattern.compile("^\\s*at (\\S+):(\\d{1,7})\\b");

    private final ScriptEngine.Program program;

    ScriptErrorMessages(ScriptEngine.Program program) {
        this.program = program;
    }

    /**
     * An error of a script.
     *
     * @param place null if it is not known
     * @param what the error in words, to follow the module's name
     * @param detail the script's own message, bounded; may be empty
     */
    record ScriptError(String file, SourceLineMap.@Nullable Place place, String what, String detail) {

        String sentence(String module) {
            String at = place == null ? "" : " at " + file + ":" + place.line() + ":" + place.column();
            return "the transform [" + module + "] " + what + at;
        }

        ScriptProblem problem() {
            String words = detail.isEmpty() ? "" : ": " + detail;
            return place == null
                    ? new ScriptProblem(file, 0, 0, "the module " + what + words)
                    : new ScriptProblem(file, place.line(), place.column(), "the module " + what + words);
        }
    }

    /** The error of a promise that was rejected with {@code value}. Reads properties, so a script may run. */
    ScriptError rejected(@Nullable Object value) {
        if (value instanceof Scriptable error && error.getClassName().equals("Error")) {
            Matcher frame = FRAME.matcher(bounded(text(ScriptableObject.getProperty(error, "stack"))));
            boolean placed = frame.find();
            return fault(
                    placed ? frame.group(1) : null,
                    placed ? Integer.parseInt(frame.group(2)) : 0,
                    "failed with " + kind(error),
                    message(error));
        }
        return fault(
                null, 0, "failed: its promise was rejected with " + ValueKindNames.of(value), bounded(text(value)));
    }

    /**
     * The error of an exception from the script or against it. Reads properties of what a script throws, so a script may
     * run.
     */
    ScriptError thrown(Throwable thrown) {
        if (thrown instanceof JavaScriptException script) {
            Object value = script.getValue();
            boolean error =
                    value instanceof Scriptable object && object.getClassName().equals("Error");
            return fault(
                    script.sourceName(),
                    script.lineNumber(),
                    error ? "failed with " + kind((Scriptable) value) : "failed: it threw " + ValueKindNames.of(value),
                    error ? message((Scriptable) value) : bounded(text(value)));
        }
        if (thrown instanceof EcmaError error) {
            String what = STANDARD.contains(error.getName()) ? error.getName() : "Error";
            return fault(
                    error.sourceName(), error.lineNumber(), "failed with " + what, bounded(error.getErrorMessage()));
        }
        if (thrown instanceof ConversionException conversionException) {
            return new ScriptError(program.entry(), null, String.valueOf(conversionException.getMessage()), "");
        }
        if (thrown instanceof RhinoException fault) {
            return fault(fault.sourceName(), fault.lineNumber(), "failed with Error", bounded(fault.details()));
        }
        return ended(thrown);
    }

    /** The error of a script that was ended from outside. No script runs. */
    ScriptError ended(Throwable thrown) {
        String what = thrown instanceof ScriptTerminated scriptTerminated
                ? scriptTerminated.reason().sentence()
                : thrown instanceof StackOverflowError
                        ? ScriptTerminated.Reason.RECURSION.sentence()
                        : thrown instanceof OutOfMemoryError
                                ? ScriptTerminated.Reason.MEMORY.sentence()
                                : "failed inside the script engine";
        String detail = thrown instanceof VirtualMachineError || thrown instanceof ScriptTerminated
                ? ""
                : thrown.getClass().getSimpleName();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            boolean isPlaced = frame.getFileName() != null && frame.getLineNumber() > 0;
            if (isPlaced && program.units().containsKey(frame.getFileName())) {
                return fault(frame.getFileName(), frame.getLineNumber(), what, detail);
            }
        }
        return new ScriptError(program.entry(), null, what, detail);
    }

    private ScriptError fault(@Nullable String file, int line, String what, String detail) {
        ScriptEngine.ProgramFile programFile =
                file == null ? null : program.units().get(file);
        return programFile == null || line < 1
                ? new ScriptError(program.entry(), null, what, detail)
                : new ScriptError(programFile.file(), programFile.lines().written(line), what, detail);
    }

    private static String kind(Scriptable error) {
        String name = text(ScriptableObject.getProperty(error, "name"));
        return STANDARD.contains(name) ? name : "Error";
    }

    private static String message(Scriptable error) {
        return bounded(text(ScriptableObject.getProperty(error, "message")));
    }

    private static String text(@Nullable Object value) {
        return value instanceof CharSequence text ? text.toString() : "";
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL);
    }
}
