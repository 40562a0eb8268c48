package dev.postern.config;

import dev.postern.config.ValueType.Invalid;
import dev.postern.config.ValueType.Parsed;
import dev.postern.config.ValueType.Valid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The references {@code ${env:NAME}} and {@code ${file:path}} in secrets. It resolves them and records what they name.
 */
final class SecretReferences {

    private static final int MAX_FILE_BYTES = 64 * 1024;
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(?:(env|file):([^{}]+)\\})?");
    private static final Pattern SHELL_VARIABLE = Pattern.compile("\\$[A-Z_][A-Z0-9_]*");
    private static final String VARIABLE = "refers to the environment variable ";
    private static final String UNSET = ", which is not set";
    private static final String HOW = "write ${env:NAME} or ${file:path}";

    private final Path home;
    private final Map<String, String> variables;
    private final Map<Path, String> pending;
    private final @Nullable SecretReferences known;
    private final Set<String> referred = new HashSet<>();
    private final Set<Path> files = new LinkedHashSet<>();
    private final Set<ValueOrigin> literals = new HashSet<>();

    /**
     * @param home the directory that relative paths are resolved against
     * @param variables the process's environment variables
     * @param pending the future contents of files that are not written yet, by path
     */
    SecretReferences(Path home, Map<String, String> variables, Map<Path, String> pending) {
        this(home, variables, pending, null);
    }

    private SecretReferences(
            Path home, Map<String, String> variables, Map<Path, String> pending, @Nullable SecretReferences known) {
        this.home = home;
        this.variables = variables;
        this.pending = pending;
        this.known = known;
    }

    /**
     * References that resolve only what secrets have referred to here so far. Another reference is invalid, and its problem
     * tells nothing about the file or variable that it names.
     */
    SecretReferences known() {
        return new SecretReferences(home, variables, pending, this);
    }

    /** Whether {@code text} is one reference and nothing else, so that it reveals no secret. */
    static boolean isReference(String text) {
        Matcher reference = REFERENCE.matcher(text);
        return reference.matches() && reference.group(1) != null;
    }

    /** Whether {@code problem} is that this process lacks an environment variable, which another one may have. */
    static boolean isOfUnsetVariable(ConfigurationProblem problem) {
        return problem.wrong().contains(VARIABLE) && problem.wrong().endsWith(UNSET);
    }

    /** The file that {@code text} refers to if it is one reference and nothing else; empty for any other text. */
    Optional<Path> soleFile(String text) {
        Matcher reference = REFERENCE.matcher(text);
        return reference.matches() && "file".equals(reference.group(1))
                ? Optional.of(home.resolve(reference.group(2).strip()))
                : Optional.empty();
    }

    /** The environment variables that secrets have referred to so far. */
    Set<String> referred() {
        return referred;
    }

    /** The files that secrets have referred to so far. */
    Set<Path> files() {
        return files;
    }

    /** Records {@code origin} as the place of a literal secret, if {@code text} holds no reference. */
    void noteLiteral(String text, ValueOrigin origin) {
        if (!REFERENCE.matcher(text).find()) {
            literals.add(origin);
        }
    }

    /** Whether {@code file} holds a literal secret. */
    boolean hasLiteralIn(Path file) {
        return literals.stream().anyMatch(origin -> origin.isIn(file));
    }

    /** {@code text} with every reference replaced. References inside a replacement are not resolved. */
    Parsed<String> resolve(String text) {
        if (SHELL_VARIABLE.matcher(text).matches()) {
            return new Invalid<>(
                    "is written like a variable of a shell, which nobody fills in here", "write ${env:NAME}");
        }
        StringBuilder resolved = new StringBuilder();
        Matcher reference = REFERENCE.matcher(text);
        while (reference.find()) {
            String scheme = reference.group(1);
            String name = reference.group(2);
            if (scheme == null || name == null) {
                return new Invalid<>("has a reference that can't be read", HOW);
            }
            Parsed<String> value = scheme.equals("env") ? variable(name.strip()) : file(name.strip());
            if (!(value instanceof Valid<String> valid)) {
                return value;
            }
            reference.appendReplacement(resolved, Matcher.quoteReplacement(valid.value()));
        }
        return new Valid<>(reference.appendTail(resolved).toString());
    }

    private Parsed<String> variable(String name) {
        if (known != null && !known.referred.contains(name)) {
            return unknown();
        }
        referred.add(name);
        String value = variables.get(name);
        return value == null || value.isBlank()
                ? new Invalid<>(VARIABLE + name + UNSET, "set it, or " + HOW)
                : new Valid<>(value.strip());
    }

    private Parsed<String> file(String name) {
        Path file;
        try {
            file = home.resolve(name);
        } catch (InvalidPathException malformed) {
            return new Invalid<>("refers to a file by a name that can't be one", HOW);
        }
        if (known != null && !known.files.contains(file)) {
            return unknown();
        }
        String written = pending.get(file);
        if (written != null) {
            return new Valid<>(written);
        }
        files.add(file);
        return content(file);
    }

    private static Parsed<String> unknown() {
        return new Invalid<>(
                "refers to a variable or file that the running configuration does not refer to",
                "write any text in its place");
    }

    /** The content of {@code file}, without line breaks at its end. */
    static Parsed<String> content(Path file) {
        return content(file, "refers to the file ", "write the secret into that file, or " + HOW);
    }

    /**
     * As {@link #content(Path)}.
     *
     * @param subject what an error begins with, before the file
     * @param instead the correction of an error
     */
    static Parsed<String> content(Path file, String subject, String instead) {
        String which = subject + file + ", which ";
        try {
            if (!Files.isRegularFile(file)) {
                return new Invalid<>(which + (Files.exists(file) ? "is no regular file" : "does not exist"), instead);
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                return new Invalid<>(which + "is larger than 64 KiB", instead);
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
            String value = text.replaceAll("[\\r\\n]+$", "");
            return value.isBlank() ? new Invalid<>(which + "is empty", instead) : new Valid<>(value);
        } catch (CharacterCodingException binary) {
            return new Invalid<>(which + "is not UTF-8 text", instead);
        } catch (NoSuchFileException gone) {
            return new Invalid<>(which + "does not exist", instead);
        } catch (AccessDeniedException denied) {
            return new Invalid<>(
                    which + "this process may not read", "give the user that runs Postern the right to read it");
        } catch (IOException failed) {
            return new Invalid<>(
                    which + "could not be read (" + failed.getClass().getSimpleName() + ")", instead);
        }
    }
}
