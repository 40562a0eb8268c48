package dev.postern.config;

import dev.postern.config.MappingSettings.Action;
import dev.postern.config.MappingSettings.TextField;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.model.HomeSetting;
import dev.postern.model.Secret;
import dev.postern.model.TurnPriority;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The section of one mapping, of the operator or of a preset. */
final class MappingSection {

    private MappingSection() {}

    /** The texts that exclude each other in a mapping, and those in sections of their own. */
    private static final Set<TextField> READ_APART = EnumSet.of(
            TextField.MESSAGE, TextField.TEXT, TextField.COALESCE_KEY, TextField.SOURCE_AUTHOR, TextField.SOURCE_MARK);

    private static final Map<Action, String> SAYS =
            Map.of(Action.WAKE, "the event says", Action.AGENT, "the agent is told", Action.DELIVER, "is delivered");

    /**
     * The author of a mapping, with the settings that come with it.
     *
     * @param name the name of mappings without an id; their place follows it
     * @param preset whether the author is Postern itself
     * @param signing the secrets that a preset's sender signs with; may be empty
     * @param texts the operator's values for all of a preset's mappings
     * @param trusted whether the operator trusts a preset's sender wholly
     * @param sns the topics of {@code hooks.sns}; null if there are none
     */
    record Author(
            String name,
            boolean preset,
            List<Secret> signing,
            Map<TextField, MappingSettings.Text> texts,
            boolean trusted,
            @Nullable SnsSettings sns) {

        /** The operator. */
        static Author operator(@Nullable SnsSettings sns) {
            return new Author("mappings", false, List.of(), Map.of(), false, sns);
        }

        /** Postern, as author of a preset for which the operator sets nothing but what its sender signs with. */
        static Author preset(String name, List<Secret> signing, @Nullable SnsSettings sns) {
            return new Author(name, true, signing, Map.of(), false, sns);
        }
    }

    /**
     * Reads {@code row}.
     *
     * @param place the row's index, from 0
     * @param transforms the directory of scripts
     */
    static MappingSettings read(SectionReader row, Author author, int place, Path transforms) {
        Action action = Action.of(row.get(MappingFields.ACTION)).orElse(Action.AGENT);
        MappingSettings.Match match = MatchSection.read(row.section(MatchSection.MATCH));
        MappingSettings mapping = new MappingSettings(
                /* id= */ row.given(MappingFields.ID).orElse(author.name() + "[" + place + "]"),
                row.origin().where(),
                match,
                action,
                /* texts= */ texts(row, action, author),
                /* forEach= */ forEach(row),
                /* transform= */ row.contains(TransformSection.TRANSFORM)
                        ? TransformSection.read(row.section(TransformSection.TRANSFORM), transforms)
                        : null,
                /* turn= */ new MappingSettings.TurnOptions(
                        row.given(MappingFields.INSTRUCTIONS).orElse(null),
                        row.given(MappingFields.DELIVER).orElse(null),
                        row.given(MappingFields.TIMEOUT_SECONDS)
                                .map(DeclaredSettings::seconds)
                                .orElse(null),
                        row.given(MappingFields.FALLBACKS),
                        row.given(MappingFields.TOOLS),
                        row.given(MappingFields.APPROVE).orElse(List.of()),
                        TurnPriority.of(row.get(MappingFields.PRIORITY))),
                /* verify= */ verify(row, author, match),
                /* payload= */ new MappingSettings.Payload(
                        BodySection.read(row, match),
                        row.given(MappingFields.PAYLOADS)
                                .map(Settings.KeptPayloads::of)
                                .orElse(null),
                        sample(row)),
                /* response= */ new MappingSettings.Response(
                        row.get(MappingFields.REPLY_TO_SENDER),
                        row.given(MappingFields.SUCCESS_STATUS).orElse(null)),
                /* load= */ new MappingSettings.Load(
                        row.given(MappingFields.MAX_PENDING).orElse(null), null),
                /* trusted= */ author.trusted() || row.get(MappingFields.ALLOW_UNSAFE),
                /* replyToSource= */ MappingSettings.ReplyToSource.NONE);
        mapping = SourceSection.withMark(row, mapping);
        return row.contains(CoalesceSection.COALESCE)
                ? CoalesceSection.of(row.section(CoalesceSection.COALESCE)).apply(mapping)
                : mapping;
    }

    private static Map<TextField, MappingSettings.Text> texts(SectionReader row, Action action, Author author) {
        Map<TextField, MappingSettings.Text> texts = new EnumMap<>(TextField.class);
        for (TextField field : TextField.values()) {
            if (!READ_APART.contains(field)) {
                put(texts, field, row, MappingFields.of(field));
            }
        }
        TextField needed = action == Action.WAKE ? TextField.TEXT : TextField.MESSAGE;
        Setting<String> own = MappingFields.of(needed);
        Setting<String> other = action == Action.WAKE ? MappingFields.MESSAGE : MappingFields.TEXT;
        put(texts, needed, row, MappingFields.TEMPLATE);
        put(texts, needed, row, own);
        if (row.contains(other)) {
            row.problem(
                    other,
                    "stands with action " + row.get(MappingFields.ACTION) + ", which does not use it",
                    "write " + own.name() + " instead, or the other action");
        } else if (row.contains(MappingFields.TEMPLATE) && row.contains(own)) {
            row.problem(MappingFields.TEMPLATE, "stands beside " + own.name() + ", which it means", "keep one of them");
        } else if (!row.contains(MappingFields.TEMPLATE)
                && !row.contains(own)
                && !row.contains(TransformSection.TRANSFORM)) {
            row.problem(
                    own,
                    "is missing",
                    "write what " + SAYS.get(action)
                            + ", such as \"New: {{payload.title}}\", or a transform that does");
        }
        texts.putAll(author.texts());
        return texts;
    }

    private static void put(
            Map<TextField, MappingSettings.Text> texts, TextField field, SectionReader row, Setting<String> setting) {
        row.given(setting).ifPresent(text -> texts.put(field, new MappingSettings.Text(text, row.where(setting))));
    }

    private static @Nullable String forEach(SectionReader row) {
        Optional<String> key = row.given(MappingFields.FOR_EACH);
        if (key.isPresent() && (MappingTypes.isTemplated(key.get()) || key.get().startsWith("payload."))) {
            row.problem(
                    MappingFields.FOR_EACH,
                    "is [" + key.get() + "], which is no name of a field",
                    "write the name alone, such as messages");
        }
        return key.orElse(null);
    }

    private static @Nullable Verify verify(SectionReader row, Author author, MappingSettings.Match match) {
        boolean unsigned =
                author.preset() && author.signing().isEmpty() && !author.name().equals(SnsSection.PRESET);
        if (!row.contains(VerifySection.VERIFY) || unsigned) {
            return null;
        }
        if (match.path() == null) {
            row.problem(
                    VerifySection.VERIFY,
                    "stands without match.path, so that no request can be known by it before its body is read",
                    "write match: {path: …}");
        }
        SectionReader verify = row.section(VerifySection.VERIFY);
        return verify.isMap() ? VerifySection.read(verify, author.signing(), author.sns()) : null;
    }

    private static @Nullable Path sample(SectionReader row) {
        Optional<String> given = row.given(MappingFields.SAMPLE);
        if (given.isEmpty()) {
            return null;
        }
        ReadContext readContext = row.reading();
        String instead = "name a file with a payload; a relative path stands against " + readContext.home();
        try {
            Path file = HomeSetting.expand(given.get(), readContext.home(), readContext.userHome());
            if (Files.isRegularFile(file)) {
                return file;
            }
            String fault = Files.exists(file) ? "is no file" : "does not exist";
            row.problem(MappingFields.SAMPLE, "is [" + given.get() + "], which " + fault, instead);
        } catch (InvalidPathException malformed) {
            row.problem(MappingFields.SAMPLE, "is [" + given.get() + "], which is no path", instead);
        }
        return null;
    }
}
