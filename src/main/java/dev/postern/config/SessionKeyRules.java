package dev.postern.config;

import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.SessionKey;
import java.util.List;
import java.util.Optional;

/**
 * The rules for the session keys that a configuration may name.
 *
 * @param prefixes the allowed prefixes; empty if any key is allowed
 * @param prefixesGiven whether prefixes are given, valid or not
 */
record SessionKeyRules(Optional<List<String>> prefixes, boolean prefixesGiven) {

    /** The beginning of generated session keys, and of the keys of every preset. */
    static final String GENERATED_PREFIX = "hook:";

    private static final String RESERVED = "and sessions that are called main or main:… are Postern's own";

    private static final Setting<List<String>> PREFIXES = HooksSection.ALLOWED_SESSION_KEY_PREFIXES;

    static SessionKeyRules of(SectionReader hooks) {
        return new SessionKeyRules(hooks.given(PREFIXES), hooks.contains(PREFIXES));
    }

    /** Checks the prefixes themselves, and the default session key. */
    void checkDefault(SectionReader hooks, Optional<String> defaultKey) {
        defaultKey.ifPresent(key -> checkForm(hooks, HooksSection.DEFAULT_SESSION_KEY, key));
        if (prefixes.isEmpty()) {
            return;
        }
        if (prefixes.get().stream().anyMatch(SessionKey::isReserved)) {
            hooks.warn(
                    PREFIXES,
                    "has a prefix that allows nothing, main or main:…; " + RESERVED.substring("and ".length()));
        }
        if (prefixes.get().isEmpty()) {
            hooks.problem(
                    PREFIXES,
                    "is an empty list, which allows no session key at all",
                    "name the prefixes, or leave the setting out to allow any");
        } else if (defaultKey.isPresent()) {
            checkLiteral(hooks, HooksSection.DEFAULT_SESSION_KEY, defaultKey.get());
        } else if (prefixes.get().stream().noneMatch(GENERATED_PREFIX::startsWith)) {
            hooks.problem(
                    PREFIXES,
                    "refuses the keys hook:<uuid> that runs get while there is no hooks.defaultSessionKey",
                    "add \"" + GENERATED_PREFIX + "\" to it, or set hooks.defaultSessionKey");
        }
    }

    /** Checks the session key of an operator's mapping. */
    void check(SectionReader row, String key) {
        Setting<String> setting = MappingFields.SESSION_KEY;
        if (!MappingTypes.isTemplated(key)) {
            checkForm(row, setting, key);
            checkLiteral(row, setting, key);
        } else if (SessionKey.isMain(MappingTypes.literalBeginning(key))) {
            row.problem(
                    setting,
                    "begins with main:, " + RESERVED,
                    "let the key begin with another word, such as " + GENERATED_PREFIX);
        } else if (!prefixesGiven) {
            row.problem(
                    setting,
                    "is a template while there are no hooks.allowedSessionKeyPrefixes, so that a payload could choose any"
                            + " session",
                    "write allowedSessionKeyPrefixes: [\"" + GENERATED_PREFIX
                            + "\"] below hooks, and let the key begin so");
        } else if (!mayBegin(MappingTypes.literalBeginning(key))) {
            row.problem(setting, "begins with none of hooks.allowedSessionKeyPrefixes", instead());
        }
    }

    /** Checks the keys of a preset. All begin with {@code hook:} and its name, with any payload. */
    void checkPreset(SectionReader hooks, String preset) {
        String beginning = GENERATED_PREFIX + preset + ":";
        if (!mayBegin(beginning)) {
            hooks.problem(
                    PREFIXES,
                    "refuses the keys of the preset " + preset + ", which begin with " + beginning,
                    "add \"" + GENERATED_PREFIX + "\" to it");
        }
    }

    private static void checkForm(SectionReader section, Setting<String> setting, String key) {
        if (SessionKey.isReserved(key)) {
            section.problem(
                    setting, "is [" + key + "], " + RESERVED, "write another, such as " + GENERATED_PREFIX + "inbox");
        }
        if (!SessionKey.isKey(key)) {
            section.problem(
                    setting,
                    "is no session key; it has " + key.length() + " characters",
                    "write 1 to " + SessionKey.MAX_LENGTH + " that can be seen");
        }
    }

    private void checkLiteral(SectionReader section, Setting<String> setting, String key) {
        if (hasPrefixes()
                && !SessionKey.isReserved(key)
                && prefixes.orElseThrow().stream().noneMatch(key::startsWith)) {
            section.problem(
                    setting, "is [" + key + "], which begins with none of hooks.allowedSessionKeyPrefixes", instead());
        }
    }

    private String instead() {
        return "let it begin with one of " + String.join(", ", prefixes.orElseThrow()) + ", or add its prefix there";
    }

    /** Whether a key that begins with {@code beginning} can have an allowed prefix. */
    private boolean mayBegin(String beginning) {
        return !hasPrefixes()
                || prefixes.orElseThrow().stream()
                        .anyMatch(prefix -> beginning.startsWith(prefix) || prefix.startsWith(beginning));
    }

    /** Whether keys are checked against the prefixes. An empty list is one problem, and not one for each key. */
    private boolean hasPrefixes() {
        return prefixes.isPresent() && !prefixes.get().isEmpty();
    }
}
