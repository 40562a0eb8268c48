package dev.postern.mapping.script;

import dev.postern.model.Excerpt;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The {@code console} of one script call. It writes lines to the log at DEBUG: at most 20 lines of at most 500 characters,
 * with control characters escaped.
 *
 * <p>Scripts print payloads, so nothing is logged unless DEBUG is on for {@link ScriptRegistry}, which an operator enables
 * while writing a transform. Even then, text that looks like a credential is redacted; everything else that a script prints
 * is shown.
 */
final class ScriptConsole implements Consumer<String> {

    private static final System.Logger LOG = System.getLogger(ScriptRegistry.class.getName());
    private static final int MOST_LINES = 20;
    private static final int LONGEST = 500;
    private static final int READ = 10 * LONGEST;
    private static final String REDACTED = "[redacted]";

    private static final Pattern NAMED = Pattern.compile(
            "(?i)((?:pass(?:word|wd|phrase)?|secret|token|api[-_]?key|private[-_]?key|signature|authorization|cookie)"
                    + "[\"']?\\s{0,3}[:=]\\s{0,3}[\"']?(?:(?:bearer|basic)\\s+)?)[^\\s\"',;}]+");
    private static final Pattern SCHEME = Pattern.compile("(?i)\\b((?:bearer|basic)\\s+)\\S+");
    private static final Pattern SHAPED = Pattern.compile(
            "\\b(?:gh[a-z]_|github_pat_|glpat-|sk[-_]|rk_|pk_|xox[a-z]-|xapp-|whsec_|AKIA|AIza|eyJ)[\\w.+/=-]{8,}"
                    + "|\\b(?=[A-Za-z_+/-]*\\d)(?=[\\d_+/-]*[A-Za-z])[\\w+/-]{32,}={0,2}");

    private final String module;

    private int lines;

    ScriptConsole(String module) {
        this.module = module;
    }

    @Override
    public void accept(String line) {
        if (LOG.isLoggable(Level.DEBUG) && ++lines <= MOST_LINES) {
            LOG.log(Level.DEBUG, "console of [{0}]: {1}", module, shown(line));
        }
    }

    /** The line as it may appear in the log. */
    static String shown(String line) {
        String text = Excerpt.of(line, READ);
        text = NAMED.matcher(text).replaceAll("$1" + REDACTED);
        text = SCHEME.matcher(text).replaceAll("$1" + REDACTED);
        text = Excerpt.of(SHAPED.matcher(text).replaceAll(REDACTED), LONGEST);
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean hidden = type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            if (hidden) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }
}
