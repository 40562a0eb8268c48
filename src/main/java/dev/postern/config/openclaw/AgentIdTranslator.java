package dev.postern.config.openclaw;

import dev.postern.config.ConfigurationNode.Scalar;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A translator of agents' ids. OpenClaw compares them in a form of its own ({@code normalizeAgentId}), and Postern as they are
 * written.
 */
final class AgentIdTranslator {

    private static final int MAX_CHARACTERS = 64;
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
    private static final Pattern OTHERS = Pattern.compile("[^a-z0-9_-]+");
    private static final Pattern HYPHENS_AT_THE_ENDS = Pattern.compile("^-+|-+$");

    private AgentIdTranslator() {}

    /**
     * The id in OpenClaw's form: in lower case, with a hyphen for each run of characters that are no letters, digits, hyphens
     * or underscores. One of which nothing is left is that of the main agent.
     */
    static String translate(String id) {
        String lower = id.strip().toLowerCase(Locale.ROOT);
        if (ID.matcher(lower).matches()) {
            return lower;
        }
        String clean = HYPHENS_AT_THE_ENDS
                .matcher(OTHERS.matcher(lower).replaceAll("-"))
                .replaceAll("");
        return clean.isEmpty() ? AgentsTranslator.MAIN : clean.substring(0, Math.min(clean.length(), MAX_CHARACTERS));
    }

    /** As {@link #translate(String)}, for the id that {@code setting} names; notes what is changed. */
    static Scalar translate(ImportContext context, String setting, Scalar id) {
        String name = translate(id.text());
        if (!name.equals(id.text().strip())) {
            context.notes().differs(id.origin(), setting, differenceTo(name));
        }
        return SettingsBuilder.text(name, id.origin());
    }

    /** A clause for the operator about an id that is written as {@code name}. */
    static String differenceTo(String name) {
        return "it is [" + name + "], which OpenClaw makes of it";
    }
}
