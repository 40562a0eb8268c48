package dev.postern.it.standalone;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The instructions of a Dockerfile, as far as they say how its container is run. */
record Dockerfile(String text) {

    /** Reads {@code file}; a line that ends with a backslash goes on in the next one. */
    static Dockerfile read(Path file) throws IOException {
        return new Dockerfile(Files.readString(file).replaceAll("\\\\\n\\s*", ""));
    }

    /** What follows the only {@code instruction}. */
    String only(String instruction) {
        Matcher found = Pattern.compile("(?m)^" + instruction + " (.*)$").matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("no " + instruction);
        }
        String rest = found.group(1);
        if (found.find()) {
            throw new IllegalStateException("more than one " + instruction);
        }
        return rest;
    }

    /** The words of a command, which must be in the form that needs no shell. */
    List<String> command(String instruction) {
        String rest = only(instruction);
        return List.of(new Gson().fromJson(rest.substring(rest.indexOf('[')), String[].class));
    }
}
