package dev.postern.config;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;

/** The type of a point in time: a date (its beginning in UTC), or a date and time with an offset (RFC 3339). */
record InstantType() implements ValueType<Instant> {

    private static final String DATE = "\\d{4}-\\d\\d-\\d\\d";

    static final Pattern SPELLING =
            Pattern.compile(DATE + "(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?");

    @Override
    public String expected() {
        return "a date such as 2030-12-31, which begins in UTC, or a time such as 2030-12-31T18:00:00Z";
    }

    @Override
    public Parsed<Instant> parse(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.textOf(node);
        if (text.isEmpty()) {
            return mismatch(node);
        }
        String spelled = text.get();
        if (!SPELLING.matcher(spelled).matches()) {
            return reject(spelled);
        }
        try {
            return new Valid<>(
                    spelled.indexOf('T') < 0
                            ? LocalDate.parse(spelled)
                                    .atStartOfDay(ZoneOffset.UTC)
                                    .toInstant()
                            : OffsetDateTime.parse(spelled).toInstant());
        } catch (DateTimeException noDay) {
            return reject(spelled);
        }
    }
}
