package dev.postern.config;

import dev.postern.config.MappingSection.Author;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.model.Secret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code hooks.mappings}: the operator's mappings, those of the presets after them, and the rules that span
 * several mappings.
 */
final class MappingsSection {

    /**
     * A mapping and the section in which the operator corrects its errors.
     *
     * @param place the mapping's row; for a preset's mapping {@code hooks}
     * @param own whether the operator wrote the mapping
     */
    private record Entry(SectionReader place, boolean own, MappingSettings mapping) {

        void problem(SettingDeclaration settingDeclaration, String wrong, String instead) {
            place.problem(own ? settingDeclaration : PresetMappings.PRESETS, wrong, instead);
        }

        @Override
        public String toString() {
            return mapping.id() + " (" + mapping.where() + ")";
        }
    }

    /** The most mappings that one message names. */
    private static final int NAMED = 3;

    private final SectionReader hooks;
    private final MappingRules rules;
    private final SourceReplyRules replies;
    private final GmailSection gmail;
    private final Path transforms;
    private final @Nullable SnsSettings sns;
    private final List<Entry> entries = new ArrayList<>();

    private MappingsSection(
            SectionReader hooks, MappingRules rules, SourceReplyRules replies, GmailSection gmail, Path transforms) {
        this.hooks = hooks;
        this.rules = rules;
        this.replies = replies;
        this.gmail = gmail;
        this.transforms = transforms;
        this.sns = SnsSection.read(hooks).orElse(null);
    }

    static List<MappingSettings> read(
            SectionReader hooks, MappingRules rules, SourceReplyRules replies, GmailSection gmail, Path transforms) {
        MappingsSection mappings = new MappingsSection(hooks, rules, replies, gmail, transforms);
        mappings.readOperators();
        mappings.readPresets();
        mappings.checkIds();
        mappings.checkSame(MappingSettings::verify, VerifySection.VERIFY, "differs");
        mappings.checkSame(mapping -> mapping.payload().body().form(), BodySection.BODY, "has a form that differs");
        mappings.checkOrder();
        mappings.checkSessions();
        return mappings.entries.stream().map(Entry::mapping).toList();
    }

    private void readOperators() {
        List<SectionReader> rows = hooks.rows(MappingFields.MAPPINGS);
        for (int place = 0; place < rows.size(); place++) {
            SectionReader row = rows.get(place);
            if (row.isMap()) {
                MappingSettings mapping =
                        replies.apply(row, MappingSection.read(row, Author.operator(sns), place, transforms));
                rules.check(row, mapping);
                entries.add(new Entry(row, true, mapping));
            }
        }
    }

    private void readPresets() {
        Optional<List<String>> named = hooks.given(PresetMappings.PRESETS);
        Map<String, List<Secret>> secrets =
                hooks.given(PresetMappings.SIGNING_SECRETS).orElse(Map.of());
        Map<String, CoalesceSection> coalesce = CoalesceSection.ofPresets(hooks);
        Set<String> replying = SourceSection.presets(hooks);
        List<String> names = named.orElse(List.of());
        // An invalid list is a problem already. The presets that it means are unknown.
        if (named.isPresent() || !hooks.contains(PresetMappings.PRESETS)) {
            requirePresets(PresetMappings.SIGNING_SECRETS, secrets.keySet(), names);
            requirePresets(CoalesceSection.OF_PRESETS, coalesce.keySet(), names);
            requirePresets(SourceSection.OF_PRESETS, replying, names);
            if (!names.contains(MailboxSettings.HOOK)) {
                gmail.checkWithoutPreset();
            }
        }
        names.forEach(name ->
                readPreset(name, secrets.getOrDefault(name, List.of()), coalesce.get(name), replying.contains(name)));
    }

    private void requirePresets(SettingDeclaration setting, Set<String> entries, List<String> names) {
        for (String name : entries) {
            if (!names.contains(name)) {
                hooks.problem(
                        setting,
                        "has an entry [" + name + "], which is not among hooks.presets",
                        "add it there, or remove it here");
            }
        }
    }

    /** @param replying whether replies go to where the event happened */
    private void readPreset(String name, List<Secret> secrets, @Nullable CoalesceSection coalesce, boolean replying) {
        Author author = name.equals(MailboxSettings.HOOK)
                ? new Author(name, true, secrets, gmail.texts(rules), gmail.trusted(), sns)
                : Author.preset(name, secrets, sns);
        if (name.equals(SnsSection.PRESET) && sns == null) {
            hooks.problem(
                    PresetMappings.PRESETS,
                    "has the preset sns, but no topic may send",
                    "name the topics in hooks.sns.topics, or remove it here");
            return;
        }
        boolean signs = false;
        List<SectionReader> rows = PresetMappings.rows(name, hooks.reading());
        for (int place = 0; place < rows.size(); place++) {
            SectionReader row = rows.get(place);
            MappingSettings mapping = MappingSection.read(row, author, place, transforms);
            mapping = replying ? replies.applyToPreset(hooks, row, mapping) : mapping;
            mapping = coalesce == null ? mapping : coalesce.apply(mapping);
            entries.add(new Entry(hooks, false, mapping));
            signs |= row.contains(VerifySection.VERIFY) && !name.equals(SnsSection.PRESET);
            if (mapping.texts().containsKey(TextField.SESSION_KEY)) {
                rules.keys().checkPreset(hooks, name);
            }
            @Nullable Verify verify = mapping.verify();
            if (verify != null) {
                VerifySection.error(verify.scheme(), secrets)
                        .ifPresent(invalid -> hooks.problem(
                                PresetMappings.SIGNING_SECRETS,
                                "has an entry [" + name + "] that " + invalid.wrong(),
                                invalid.instead()));
            }
        }
        PresetMappings.requireValid(name, rows);
        if (!secrets.isEmpty() && !signs) {
            hooks.problem(
                    PresetMappings.SIGNING_SECRETS,
                    "has an entry [" + name + "], but the preset's sender does not sign with a secret",
                    "remove it, and have the sender send the token");
        }
    }

    private void checkIds() {
        Map<String, Entry> byId = new HashMap<>();
        for (Entry entry : entries) {
            @Nullable Entry first = byId.putIfAbsent(entry.mapping().id(), entry);
            if (first != null) {
                String wrong = "is [" + entry.mapping().id() + "], as is that of ";
                reportConflict(first, entry, MappingFields.ID, wrong, "choose another id");
            }
        }
    }

    /**
     * Checks that the mappings of each path that have a {@code value} have the same one, since it is needed before a mapping is
     * known. The operator can change nothing in a preset, so that a mapping that differs from one is reported once.
     */
    private void checkSame(
            Function<MappingSettings, @Nullable Object> value, SettingDeclaration settingDeclaration, String wrong) {
        Map<String, Entry> byPath = new HashMap<>();
        Set<MappingSettings> reported = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Entry entry : entries) {
            @Nullable Object own = value.apply(entry.mapping());
            @Nullable String path = entry.mapping().match().path();
            if (own == null || path == null) {
                continue;
            }
            if (!entry.own()) {
                entries.stream()
                        .filter(each ->
                                each.own() && path.equals(each.mapping().match().path()))
                        .filter(each -> isOther(value.apply(each.mapping()), own) && reported.add(each.mapping()))
                        .forEach(each -> each.problem(
                                settingDeclaration,
                                wrong + ", for the same path " + path + ", from that of " + entry,
                                "leave it out here: that of the preset is for all mappings of that path"));
                continue;
            }
            @Nullable Entry first = byPath.putIfAbsent(path, entry);
            if (first != null && !own.equals(value.apply(first.mapping()))) {
                reportConflict(
                        first,
                        entry,
                        settingDeclaration,
                        wrong + ", for the same path " + path + ", from that of ",
                        "write the same in both, or leave it out of one: it is for all mappings of that path");
            }
        }
    }

    private static boolean isOther(@Nullable Object value, Object own) {
        return value != null && !value.equals(own);
    }

    /** Reports a conflict of two mappings at the operator's one, or at the later one if both are the operator's. */
    private static void reportConflict(
            Entry first, Entry second, SettingDeclaration settingDeclaration, String wrong, String instead) {
        Entry mend = second.own() ? second : first;
        Entry other = second.own() ? first : second;
        mend.problem(settingDeclaration, wrong + other, instead);
    }

    /**
     * Warns of mappings that are never reached, because an earlier one takes all of their requests. A request without a
     * token, authenticated by its signature, reaches only the mappings of its own path.
     */
    private void checkOrder() {
        Set<String> signed = entries.stream()
                .filter(entry -> entry.mapping().verify() != null)
                .flatMap(entry -> Stream.ofNullable(entry.mapping().match().path()))
                .collect(Collectors.toSet());
        for (int later = 1; later < entries.size(); later++) {
            Entry entry = entries.get(later);
            for (Entry earlier : entries.subList(0, later)) {
                MappingSettings.Match wide = earlier.mapping().match();
                @Nullable String path = entry.mapping().match().path();
                boolean open = wide.path() == null && path != null && signed.contains(path);
                if (open || !covers(wide, entry.mapping().match())) {
                    continue;
                }
                if (entry.own()) {
                    entry.place()
                            .warn(
                                    MatchSection.MATCH,
                                    "is never reached: " + earlier + " before it takes all of its requests");
                    break;
                } else if (wide.path() == null && earlier.own()) {
                    hooks.warn(
                            PresetMappings.PRESETS,
                            "are reached by fewer requests than they could be: " + earlier
                                    + " before them has no match.path");
                    break;
                }
            }
        }
    }

    /**
     * Warns of templated session keys that a payload can turn into a session of another mapping. The same text in two
     * mappings is meant to share sessions. The keys of a preset begin with its name.
     */
    private void checkSessions() {
        for (Entry entry : entries) {
            Optional<SessionKeyPattern> key = keyOf(entry).filter(SessionKeyPattern::isTemplated);
            if (!entry.own() || key.isEmpty()) {
                continue;
            }
            List<Entry> met = entries.stream()
                    .filter(other ->
                            keyOf(other).filter(key.get()::canCollideWith).isPresent())
                    .toList();
            if (!met.isEmpty()) {
                entry.place()
                        .warn(
                                MappingFields.SESSION_KEY,
                                "of " + entry + " can come out as a session of " + some(met)
                                        + ", so that a payload brings one's turns before the other; let it begin with a word"
                                        + " of its own, such as " + SessionKeyRules.GENERATED_PREFIX
                                        + entry.mapping().id() + ":");
            }
        }
    }

    private Optional<SessionKeyPattern> keyOf(Entry entry) {
        return SessionKeyPattern.of(
                entry.mapping(),
                rules.agents(),
                hooks.given(HooksSection.DEFAULT_SESSION_KEY).orElse(null));
    }

    private static String some(List<Entry> entries) {
        String first = entries.stream().limit(NAMED).map(Entry::toString).collect(Collectors.joining(", "));
        return entries.size() > NAMED ? first + " and " + (entries.size() - NAMED) + " more" : first;
    }

    private static boolean covers(MappingSettings.Match wide, MappingSettings.Match narrow) {
        return (wide.path() == null || wide.path().equals(narrow.path()))
                && (wide.source() == null || wide.source().equals(narrow.source()))
                && narrow.headers().entrySet().containsAll(wide.headers().entrySet());
    }
}
