package dev.postern.config;

import dev.postern.config.MappingSettings.Body;
import dev.postern.config.MappingSettings.FormPayload;
import dev.postern.config.ScalarTypes.Choice;
import dev.postern.config.ScalarTypes.Flag;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Setting;
import java.util.Locale;

/** The section {@code body} of a mapping: how its sender may encode bodies, beside plain JSON. */
final class BodySection {

    static final Setting<Boolean> GZIP =
            Setting.of("gzip", new Flag(), false, "Whether a body may be compressed (Content-Encoding: gzip).");
    static final Setting<String> FORM = Setting.optional(
            "form",
            new Choice("payload", "fields"),
            "The payload of a body that is a form: payload, the JSON in its field payload; or fields, an object of all its"
                    + " fields. Forms are refused when left out.");
    static final Group BODY =
            Group.of("body", "How the sender may encode bodies on this path, beside plain JSON.", GZIP, FORM);

    private BodySection() {}

    /** The encodings that the mapping {@code row} takes; a section without {@code match.path} is a problem. */
    static Body read(SectionReader row, MappingSettings.Match match) {
        if (!row.contains(BODY)) {
            return Body.JSON;
        }
        if (match.path() == null) {
            row.problem(
                    BODY,
                    "stands without match.path, so that no request can be known by it before its body is read",
                    "write match: {path: …}");
        }
        SectionReader body = row.section(BODY);
        Body read = new Body(
                body.get(GZIP),
                body.given(FORM)
                        .map(form -> FormPayload.valueOf(form.toUpperCase(Locale.ROOT)))
                        .orElse(null));
        if (row.contains(VerifySection.VERIFY) && !read.equals(Body.JSON)) {
            checkVerify(row, row.section(VerifySection.VERIFY));
        }
        return read;
    }

    /** A signature over fields of the body is read before the body is decoded. */
    private static void checkVerify(SectionReader row, SectionReader verify) {
        if (verify.contains(VerifySection.TIMESTAMP_FIELD)) {
            row.problem(
                    BODY,
                    "stands beside verify.timestampField, which is read from plain JSON alone",
                    "remove one of them, or use verify.timestampHeader");
        }
        if (verify.given(VerifySection.SCHEME).filter("sns"::equals).isPresent()) {
            row.problem(BODY, "stands beside scheme sns, which signs fields of plain JSON", "remove it");
        }
    }
}
