package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import dev.postern.config.ScalarTypes.Address;
import dev.postern.model.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** The value types of settings that are never shown. All values may hold references. */
final class SecretTypes {

    private SecretTypes() {}

    private static final Pattern VARIABLE = Pattern.compile("[^=\\x00]+");
    private static final Pattern ANY_LINE = Pattern.compile(".+", Pattern.DOTALL);
    private static final String REFERENCE = "${env:NAME} or ${file:secrets/name}";

    /** The value of a secret scalar, resolved. */
    private static ValueType.Parsed<String> reveal(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.freeTextOf(node);
        if (text.isEmpty()) {
            return new ValueType.Invalid<>("is " + node.noun(), "write the secret in quotes, or " + REFERENCE);
        }
        if (text.get().isEmpty()) {
            return new ValueType.Invalid<>("is blank", "write the secret, or " + REFERENCE);
        }
        return references.resolve(text.get());
    }

    /** As {@link #reveal}, for a secret of one line. */
    private static ValueType.Parsed<String> revealLine(ConfigurationNode node, SecretReferences references) {
        ValueType.Parsed<String> resolved = reveal(node, references);
        if (resolved instanceof ValueType.Valid<String> valid && !isOneLine(valid.value())) {
            return new ValueType.Invalid<>("holds a line break or another control character", "write it as one line");
        }
        return resolved;
    }

    /** Whether a secret has no line breaks and no other control characters. */
    static boolean isOneLine(String secret) {
        return secret.chars().noneMatch(Character::isISOControl);
    }

    /** The values of {@code fields} by name, or the errors of all entries for which {@code parser} gives one. */
    private static <T> ValueType.Parsed<Map<String, T>> entries(
            Fields fields, BiFunction<String, ConfigurationNode, ValueType.Parsed<T>> parser) {
        Map<String, T> values = new LinkedHashMap<>();
        List<ValueType.InvalidEntry> errors = new ArrayList<>();
        fields.byName().forEach((name, field) -> {
            ValueType.Parsed<T> parsed = parser.apply(name, field.value());
            if (parsed instanceof ValueType.Valid<T> valid) {
                values.put(name, valid.value());
            } else if (parsed instanceof ValueType.Invalid<T> invalid) {
                errors.add(new ValueType.InvalidEntry(field.nameOrigin(), invalid.wrong(), invalid.instead()));
            }
        });
        return errors.isEmpty() ? new ValueType.Valid<>(values) : new ValueType.InvalidEntries<>(errors);
    }

    /** The type of one secret. */
    record Credential() implements SecretValueType<Secret> {

        @Override
        public String expected() {
            return "the secret, or " + REFERENCE;
        }

        @Override
        public Parsed<Secret> parse(ConfigurationNode node, SecretReferences references) {
            ValueType.textOf(node).ifPresent(text -> references.noteLiteral(text, node.origin()));
            return secret(revealLine(node, references));
        }

        private static Parsed<Secret> secret(Parsed<String> revealed) {
            return revealed instanceof Valid<String> valid
                    ? new Valid<>(new Secret(valid.value()))
                    : ((Invalid<String>) revealed).as();
        }
    }

    /** The type of one secret of several lines, such as a key in PEM. */
    record CredentialLines() implements SecretValueType<Secret> {

        @Override
        public String expected() {
            return "the secret's lines, or better " + REFERENCE;
        }

        @Override
        public Parsed<Secret> parse(ConfigurationNode node, SecretReferences references) {
            ValueType.freeTextOf(node).ifPresent(text -> references.noteLiteral(text, node.origin()));
            return Credential.secret(reveal(node, references));
        }
    }

    /** The type of one secret that Postern may write back, if a file holds it and nothing else. */
    record StoredCredential() implements SecretValueType<ReplaceableSecret> {

        @Override
        public String expected() {
            return new Credential().expected();
        }

        @Override
        public Parsed<ReplaceableSecret> parse(ConfigurationNode node, SecretReferences references) {
            Parsed<Secret> parsed = new Credential().parse(node, references);
            if (parsed instanceof Invalid<Secret> invalid) {
                return invalid.as();
            }
            Path file = ValueType.freeTextOf(node).flatMap(references::soleFile).orElse(null);
            return new Valid<>(new ReplaceableSecret(((Valid<Secret>) parsed).value(), file));
        }
    }

    /** The type of a text that may hold a credential among other things, such as a JDBC URL. */
    record Guarded(String what) implements SecretValueType<String> {

        @Override
        public String expected() {
            return what;
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            return revealLine(node, references);
        }
    }

    /** The type of an http or https address that may hold a credential, such as a key in its query. */
    record GuardedAddress() implements SecretValueType<Secret> {

        private static final Address PLAIN = new Address(false);

        @Override
        public String expected() {
            return PLAIN.expected();
        }

        @Override
        public Parsed<Secret> parse(ConfigurationNode node, SecretReferences references) {
            Parsed<String> revealed = revealLine(node, references);
            if (revealed instanceof Invalid<String> invalid) {
                return invalid.as();
            }
            String address = ((Valid<String>) revealed).value();
            return PLAIN.read(address) instanceof Invalid<URI> invalid
                    ? invalid.as()
                    : new Valid<>(new Secret(address));
        }
    }

    /** The type of one secret, or of up to {@code max} during a rotation. */
    record Credentials(int max) implements SecretValueType<List<Secret>> {

        @Override
        public String expected() {
            return "a secret or a list of at most " + max + ", each as it is or as " + REFERENCE;
        }

        @Override
        public Parsed<List<Secret>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<List<ConfigurationNode>> items = ListTypes.items(node);
            if (items.isEmpty() && !(node instanceof Scalar)) {
                return mismatch(node);
            }
            List<Secret> secrets = new ArrayList<>();
            for (ConfigurationNode item : items.orElse(List.of(node))) {
                Parsed<Secret> parsed = new Credential().parse(item, references);
                if (parsed instanceof Invalid<Secret> invalid) {
                    return invalid.as();
                }
                secrets.add(((Valid<Secret>) parsed).value());
            }
            if (secrets.isEmpty()) {
                return new Invalid<>("is an empty list", "write " + expected());
            }
            return secrets.size() > max
                    ? new Invalid<>("is a list of " + secrets.size(), "write " + expected())
                    : new Valid<>(List.copyOf(secrets));
        }
    }

    /**
     * The type of a program's environment variables.
     *
     * @param own the names that Postern sets itself, lower case
     */
    static CredentialMap environment(Set<String> own) {
        return new CredentialMap("an environment variable", VARIABLE, ANY_LINE, own);
    }

    /**
     * The type of a map of secrets by name, such as HTTP headers. A malformed name is not shown, because it may hold
     * the secret.
     *
     * @param what one entry in words, such as {@code a header}
     * @param names the pattern of the names
     * @param values the pattern of the secrets
     * @param own the names that Postern sets itself, lower case
     */
    record CredentialMap(String what, Pattern names, Pattern values, Set<String> own)
            implements SecretValueType<Map<String, Secret>> {

        @Override
        public String expected() {
            return "a map from name to value, each value as it is or with " + REFERENCE;
        }

        @Override
        public Parsed<Map<String, Secret>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> fields = ListTypes.fields(node);
            if (fields.isEmpty()) {
                return mismatch(node);
            }
            List<String> written = List.copyOf(fields.get().byName().keySet());
            return entries(fields.get(), (name, value) -> {
                if (!names.matcher(name).matches()) {
                    String number = "has an entry, number " + (written.indexOf(name) + 1);
                    return new Invalid<>(number + ", whose name can't be that of " + what, "write " + expected());
                }
                Parsed<Secret> parsed = checked(name, new Credential().parse(value, references));
                return parsed instanceof Invalid<Secret> invalid
                        ? new Invalid<>("has an entry [" + name + "]" + invalid.wrong(), invalid.instead())
                        : parsed;
            });
        }

        private Parsed<Secret> checked(String name, Parsed<Secret> parsed) {
            if (own.contains(name.toLowerCase(Locale.ROOT))) {
                return new Invalid<>(", which Postern sets itself", "leave it out");
            }
            if (parsed instanceof Invalid<Secret> invalid) {
                return new Invalid<>(" that " + invalid.wrong(), invalid.instead());
            }
            return values.matcher(((Valid<Secret>) parsed).value().reveal()).matches()
                    ? parsed
                    : new Invalid<>(
                            " with a character that " + what + " can't hold", "write letters, digits and punctuation");
        }
    }

    /**
     * The type of a map from known names to one or several secrets each.
     *
     * @param names the known names
     * @param max the most secrets for one name
     */
    record CredentialsMap(List<String> names, int max) implements SecretValueType<Map<String, List<Secret>>> {

        @Override
        public String expected() {
            return "a map from name to secret, or to a list of at most " + max + ", each as it is or as " + REFERENCE;
        }

        @Override
        public Parsed<Map<String, List<Secret>>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> fields = ListTypes.fields(node);
            if (fields.isEmpty()) {
                return mismatch(node);
            }
            return entries(fields.get(), (name, value) -> {
                if (!names.contains(name)) {
                    String near = AgentsSection.suggest(name, names);
                    return new Invalid<>("has an entry [" + name + "], which is none of its names", near);
                }
                Parsed<List<Secret>> parsed = new Credentials(max).parse(value, references);
                return parsed instanceof Invalid<List<Secret>> invalid
                        ? new Invalid<>("has an entry [" + name + "] that " + invalid.wrong(), invalid.instead())
                        : parsed;
            });
        }
    }
}
