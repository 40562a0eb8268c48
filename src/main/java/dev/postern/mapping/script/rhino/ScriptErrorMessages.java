package dev.postern.mapping.script.rhino;

import dev.postern.mapping.script.ScriptEngine;
import dev.postern.mapping.script.ScriptProblem;
import dev.postern.mapping.script.ScriptTerminated;
import dev.postern.mapping.script.SourceLineMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JavaScriptException;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptStackElement;
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

    private static final int LONGEST_STACK = 5_000;
    private static final int MOST_FRAMES = 100;

    /** The classes that an error's own class may extend, one after the other. */
    private static final int MOST_CLASSES = 10;

    /** The pattern of a line of an error's stack: the file, the line, and the function if it has a name. */
    private static final Pattern FRAME = Pattern.compile("(?m)^[ \\t]*+at (.+?):(\\d{1,7})(?: \\(([^()\\n]*+)\\))?");

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
            return fault(frames(error), "failed with " + kind(error), message(error));
        }
        return fault(
                List.of(), "failed: its promise was rejected with " + ValueKindNames.of(value), bounded(text(value)));
    }

    /**
     * The error of an exception from the script or against it. Reads properties of what a script throws, so a script may
     * run.
     */
    ScriptError thrown(Throwable thrown) {
        if (thrown instanceof JavaScriptException script) {
            Object value = script.getValue();
            if (value instanceof Scriptable error && error.getClassName().equals("Error")) {
                // A helper of the translation, or the script, may have thrown it again elsewhere.
                List<Frame> frames = frames(error);
                frames.addAll(frames(script));
                return fault(frames, "failed with " + kind(error), message(error));
            }
            return fault(frames(script), "failed: it threw " + ValueKindNames.of(value), bounded(text(value)));
        }
        if (thrown instanceof EcmaError error) {
            String what = STANDARD.contains(error.getName()) ? error.getName() : "Error";
            return fault(frames(error), "failed with " + what, bounded(error.getErrorMessage()));
        }
        if (thrown instanceof ConversionException conversionException) {
            return new ScriptError(program.entry(), null, String.valueOf(conversionException.getMessage()), "");
        }
        if (thrown instanceof RhinoException fault) {
            return fault(frames(fault), "failed with Error", bounded(fault.details()));
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
        return fault(
                Arrays.stream(thrown.getStackTrace())
                        .map(frame -> new Frame(frame.getFileName(), frame.getLineNumber()))
                        .toList(),
                what,
                detail);
    }

    /** The error at the first frame that the program's source has. */
    private ScriptError fault(List<Frame> frames, String what, String detail) {
        for (Frame frame : frames) {
            ScriptEngine.ProgramFile programFile =
                    frame.file() == null ? null : program.units().get(frame.file());
            SourceLineMap.Place place = programFile == null || frame.line() < 1
                    ? null
                    : programFile.lines().written(frame.line());
            if (programFile != null && place != null) {
                return new ScriptError(programFile.file(), place, what, detail);
            }
        }
        return new ScriptError(program.entry(), null, what, detail);
    }

    /** A line of a stack. */
    private record Frame(@Nullable String file, int line) {}

    private static List<Frame> frames(RhinoException thrown) {
        List<Frame> frames = new ArrayList<>();
        frames.add(new Frame(thrown.sourceName(), thrown.lineNumber()));
        for (ScriptStackElement element : thrown.getScriptStack(MOST_FRAMES, null)) {
            frames.add(new Frame(element.fileName, element.lineNumber));
        }
        return frames;
    }

    /** The frames of an error's stack, without the constructors of its own class. */
    private static List<Frame> frames(Scriptable error) {
        String stack = text(ScriptableObject.getProperty(error, "stack"));
        Matcher matcher = FRAME.matcher(stack.substring(0, Math.min(stack.length(), LONGEST_STACK)));
        Set<String> constructors = constructors(error);
        List<Frame> frames = new ArrayList<>();
        boolean isInside = true;
        while (matcher.find()) {
            isInside = isInside && matcher.group(3) != null && constructors.contains(matcher.group(3));
            if (!isInside) {
                frames.add(new Frame(matcher.group(1), Integer.parseInt(matcher.group(2))));
            }
        }
        return frames;
    }

    private static Set<String> constructors(Scriptable error) {
        Set<String> names = new HashSet<>();
        Scriptable prototype = error.getPrototype();
        for (int i = 0; i < MOST_CLASSES && prototype != null; i++) {
            if (ScriptableObject.getProperty(prototype, "constructor") instanceof Function constructor) {
                names.add(text(ScriptableObject.getProperty(constructor, "name")));
            }
            prototype = prototype.getPrototype();
        }
        return names;
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
