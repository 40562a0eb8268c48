package dev.postern.config;

import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.model.NearestName;
import dev.postern.model.ThinkingLevels;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The value types of settings that hold one value. */
final class ScalarTypes {

    private ScalarTypes() {}

    /** The pattern of a header's name; see RFC 9110 section 5.6.2. */
    static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** The words for {@link Settings.KeptPayloads}. */
    static final Choice KEPT_PAYLOADS = new Choice("none", "failed", "all");

    /** The type of a boolean, in the spellings of YAML 1.1 too. */
    record Flag() implements ValueType<Boolean> {

        @Override
        public String expected() {
            return "true or false";
        }

        @Override
        public Parsed<Boolean> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            return truth(text.get()).<Parsed<Boolean>>map(Valid::new).orElseGet(() -> reject(text.get()));
        }

        static Optional<Boolean> truth(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "true", "yes", "on" -> Optional.of(true);
                case "false", "no", "off" -> Optional.of(false);
                default -> Optional.empty();
            };
        }
    }

    /** The type of a whole number from {@code min} to {@code max}, both included. */
    record Whole(int min, int max) implements ValueType<Integer> {

        private static final Pattern DIGITS = Pattern.compile("[+-]?(0|[1-9]\\d{0,17})");

        @Override
        public String expected() {
            return "a whole number from " + min + " to " + max;
        }

        @Override
        public Parsed<Integer> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            boolean yaml = node instanceof Scalar scalar && scalar.form() == Form.NUMBER;
            String digits = yaml ? text.get().replace("_", "") : text.get();
            if (!DIGITS.matcher(digits).matches()) {
                return reject(text.get());
            }
            long value = Long.parseLong(digits);
            return value < min || value > max ? reject(text.get()) : new Valid<>((int) value);
        }
    }

    /**
     * The type of a free text, not blank.
     *
     * @param what the expected text in words, such as {@code an id}
     * @param pattern the pattern that the whole text has to match
     */
    record Text(String what, Pattern pattern) implements ValueType<String> {

        private static final Pattern ANY = Pattern.compile("[^\\p{Cntrl}]+");

        Text(String what) {
            this(what, ANY);
        }

        boolean isFree() {
            return pattern == ANY;
        }

        @Override
        public String expected() {
            return what;
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.freeTextOf(node);
            if (text.isEmpty()) {
                return node instanceof Scalar
                        ? new Invalid<>("is true or false", "put it in quotes if it is meant as a text")
                        : mismatch(node);
            }
            if (text.get().isEmpty()) {
                return new Invalid<>("is blank", "write " + what + ", or leave the setting out");
            }
            return pattern.matcher(text.get()).matches() ? new Valid<>(text.get()) : reject(text.get());
        }
    }

    /** The type of a choice from a fixed list of words. */
    record Choice(List<String> words) implements ValueType<String> {

        Choice(String... words) {
            this(List.of(words));
        }

        @Override
        public String expected() {
            return "one of " + String.join(", ", words);
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            if (words.contains(text.get())) {
                return new Valid<>(text.get());
            }
            return NearestName.of(text.get(), words)
                    .<Parsed<String>>map(near ->
                            new Invalid<>("is [" + text.get() + "]", "did you mean " + near + "? Write " + expected()))
                    .orElseGet(() -> reject(text.get()));
        }
    }

    /** The type of a thinking level. The levels of a particular model are not checked here. */
    record Level() implements ValueType<String> {

        @Override
        public String expected() {
            return "one of " + String.join(", ", ThinkingLevels.LEVELS) + ", or of the provider's thinkingLevels";
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            // Some YAML writers take an unquoted off for a boolean and write false.
            if (Flag.truth(text.get()).equals(Optional.of(false))) {
                return new Valid<>("off");
            }
            return SectionReader.ID.matcher(text.get()).matches() ? new Valid<>(text.get()) : reject(text.get());
        }
    }

    /** The type of the access to a page; {@code true} stands for {@code local} and {@code false} for {@code off}. */
    record Exposure(boolean takesAnyone) implements ValueType<Settings.Access> {

        List<String> words() {
            return takesAnyone ? List.of("off", "local", "viewer", "anyone") : List.of("off", "local", "viewer");
        }

        @Override
        public String expected() {
            return takesAnyone ? "off, local, viewer or anyone" : "off, local or viewer";
        }

        @Override
        public Parsed<Settings.Access> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            if (words().contains(text.get())) {
                return new Valid<>(Settings.Access.valueOf(text.get().toUpperCase(Locale.ROOT)));
            }
            return Flag.truth(text.get())
                    .<Parsed<Settings.Access>>map(on -> new Valid<>(on ? Settings.Access.LOCAL : Settings.Access.OFF))
                    .orElseGet(() -> reject(text.get()));
        }
    }

    /** The type of a time of day, such as {@code 08:00}; {@code 24:00} is midnight. */
    record TimeOfDay() implements ValueType<LocalTime> {

        static final Pattern SPELLING = Pattern.compile("([01]?\\d|2[0-3]):[0-5]\\d|24:00");

        @Override
        public String expected() {
            return "a time of day such as \"08:00\"";
        }

        @Override
        public Parsed<LocalTime> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            if (!SPELLING.matcher(text.get()).matches()) {
                return reject(text.get());
            }
            String[] parts = text.get().split(":", 2);
            return new Valid<>(LocalTime.of(Integer.parseInt(parts[0]) % 24, Integer.parseInt(parts[1])));
        }
    }

    /** The type of a share: a whole number from 1 to 100 with a percent sign. */
    record Percent() implements ValueType<Integer> {

        static final Pattern SPELLING = Pattern.compile("([1-9]\\d?|100)%");

        @Override
        public String expected() {
            return "a share from 1% to 100%";
        }

        @Override
        public Parsed<Integer> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            return SPELLING.matcher(text.get()).matches()
                    ? new Valid<>(
                            Integer.valueOf(text.get().substring(0, text.get().length() - 1)))
                    : reject(text.get());
        }
    }

    /** The type of a time zone, such as {@code Europe/Berlin}. */
    record Zone() implements ValueType<ZoneId> {

        @Override
        public String expected() {
            return "a time zone such as Europe/Berlin or UTC";
        }

        @Override
        public Parsed<ZoneId> parse(ConfigurationNode node, SecretReferences references) {
            Optional<String> text = ValueType.textOf(node);
            if (text.isEmpty()) {
                return mismatch(node);
            }
            try {
                return new Valid<>(ZoneId.of(text.get()));
            } catch (DateTimeException unknown) {
                return reject(text.get());
            }
        }
    }

    /**
     * The type of an http or https address. Problems never quote the address, because it may hold a credential.
     *
     * @param base whether paths are appended: if so, trailing slashes are dropped, and a query or fragment is a problem
     */
    record Address(boolean base) implements ValueType<URI> {

        @Override
        public String expected() {
            return "an address that begins with https:// or http://";
        }

        /** Shows the address without its query, which may be a key. */
        @Override
        public String shown(ConfigurationNode node) {
            String address = EffectiveSettingsReport.text(node);
            int query = address.indexOf('?');
            return query < 0 ? address : address.substring(0, query) + "?…";
        }

        @Override
        public Parsed<URI> parse(ConfigurationNode node, SecretReferences references) {
            return ValueType.freeTextOf(node).map(this::read).orElseGet(() -> mismatch(node));
        }

        Parsed<URI> read(String text) {
            try {
                URI uri = new URI(base ? text.replaceAll("/+$", "") : text);
                boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
                if (web && uri.getHost() == null && uri.getRawAuthority() != null) {
                    return new Invalid<>(
                            "has a host that is none",
                            "write one of letters, digits, dots and hyphens, such as my-service");
                }
                if (!web || uri.getHost() == null) {
                    return new Invalid<>("is no http or https address", "write " + expected());
                }
                if (uri.getRawUserInfo() != null) {
                    return new Invalid<>("holds a user name or password", "write the address without it");
                }
                return base && (uri.getRawQuery() != null || uri.getRawFragment() != null)
                        ? new Invalid<>("goes on with ? or #", "write the address that paths are appended to")
                        : new Valid<>(uri);
            } catch (URISyntaxException malformed) {
                return new Invalid<>("is no address", "write " + expected());
            }
        }
    }
}
