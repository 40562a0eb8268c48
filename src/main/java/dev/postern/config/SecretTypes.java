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
import java.util.regex.Pattern;

/** The kinds of settings whose values are never shown. All may hold references. */
final class SecretTypes {

    private SecretTypes() {}

    private static final Pattern VARIABLE = Pattern.compile("[^=\\x00]+");
    private static final Pattern ANY_LINE = Pattern.compile(".+", Pattern.DOTALL);
    private static final String REFERENCE = "${env:NAME} or ${file:secrets/name}";

    /** The value of a secret scalar, resolved. */
    private static ValueType.Parsed<String> reveal(ConfigurationNode node, SecretReferences references) {
        Optional<String> text = ValueType.freeTextOf(node);
        if (text.isEmpty()) {
            return new ValueType.Bad<>("is " + node.noun(), "write the secret in quotes, or " + REFERENCE);
        }
        if (text.get().isEmpty()) {
            return new ValueType.Bad<>("is blank", "write the secret, or " + REFERENCE);
        }
        ValueType.Parsed<String> resolved = references.resolve(text.get());
        if (resolved instanceof ValueType.Good<String> good && !isOneLine(good.value())) {
            return new ValueType.Bad<>("holds a line break or another control character", "write it as one line");
        }
        return resolved;
    }

    /** Whether a secret is without line breaks and other control characters. */
    static boolean isOneLine(String secret) {
        return secret.chars().noneMatch(Character::isISOControl);
    }

    /** One secret. */
    record Credential() implements SecretValueType<Secret> {

        @Override
        public String expected() {
            return "the secret, or " + REFERENCE;
        }

        @Override
        public Parsed<Secret> parse(ConfigurationNode node, SecretReferences references) {
            ValueType.textOf(node).ifPresent(text -> references.noteLiteral(text, node.origin()));
            Parsed<String> revealed = reveal(node, references);
            return revealed instanceof Good<String> good
                    ? new Good<>(new Secret(good.value()))
                    : ((Bad<String>) revealed).as();
        }
    }

    /** One secret that Postern may write back, where a file holds it and nothing else. */
    record StoredCredential() implements SecretValueType<StoredSecret> {

        @Override
        public String expected() {
            return new Credential().expected();
        }

        @Override
        public Parsed<StoredSecret> parse(ConfigurationNode node, SecretReferences references) {
            Parsed<Secret> parsed = new Credential().parse(node, references);
            if (parsed instanceof Bad<Secret> bad) {
                return bad.as();
            }
            Path file = ValueType.freeTextOf(node).flatMap(references::soleFile).orElse(null);
            return new Good<>(new StoredSecret(((Good<Secret>) parsed).value(), file));
        }
    }

    /** Text that may hold a credential among other things, such as a JDBC URL. */
    record Guarded(String what) implements SecretValueType<String> {

        @Override
        public String expected() {
            return what;
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            return reveal(node, references);
        }
    }

    /** An http or https address that may hold a credential, such as a key in its query. */
    record GuardedAddress() implements SecretValueType<Secret> {

        private static final Address PLAIN = new Address(false);

        @Override
        public String expected() {
            return PLAIN.expected();
        }

        @Override
        public Parsed<Secret> parse(ConfigurationNode node, SecretReferences references) {
            Parsed<String> revealed = reveal(node, references);
            if (revealed instanceof Bad<String> bad) {
                return bad.as();
            }
            String address = ((Good<String>) revealed).value();
            return PLAIN.read(address) instanceof Bad<URI> bad ? bad.as() : new Good<>(new Secret(address));
        }
    }

    /** One secret, or several during a rotation. */
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
                if (parsed instanceof Bad<Secret> bad) {
                    return bad.as();
                }
                secrets.add(((Good<Secret>) parsed).value());
            }
            if (secrets.isEmpty()) {
                return new Bad<>("is an empty list", "write " + expected());
            }
            return secrets.size() > max
                    ? new Bad<>("is a list of " + secrets.size(), "write " + expected())
                    : new Good<>(List.copyOf(secrets));
        }
    }

    /**
     * Environment variables of a program.
     *
     * @param own names, lower case, that Postern gives values itself
     */
    static CredentialMap environment(Set<String> own) {
        return new CredentialMap("an environment variable", VARIABLE, ANY_LINE, own);
    }

    /**
     * Secrets by name, such as HTTP headers. A name that is misspelled is not shown: it may hold the secret.
     *
     * @param what they are, such as {@code a header}
     * @param names the spelling of their names
     * @param values what a secret has to be
     * @param own names, lower case, that Postern gives values itself
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
            Map<String, Secret> secrets = new LinkedHashMap<>();
            for (Map.Entry<String, ConfigurationNode.Field> entry :
                    fields.get().byName().entrySet()) {
                String name = entry.getKey();
                if (!names.matcher(name).matches()) {
                    String number = "has an entry, number " + (secrets.size() + 1);
                    return new Bad<>(number + ", whose name can't be that of " + what, "write " + expected());
                }
                Parsed<Secret> parsed =
                        judged(name, new Credential().parse(entry.getValue().value(), references));
                if (parsed instanceof Bad<Secret> bad) {
                    return new Bad<>("has an entry [" + name + "]" + bad.wrong(), bad.instead());
                }
                secrets.put(name, ((Good<Secret>) parsed).value());
            }
            return new Good<>(secrets);
        }

        private Parsed<Secret> judged(String name, Parsed<Secret> parsed) {
            if (own.contains(name.toLowerCase(Locale.ROOT))) {
                return new Bad<>(", which Postern sets itself", "leave it out");
            }
            if (parsed instanceof Bad<Secret> bad) {
                return new Bad<>(" that " + bad.wrong(), bad.instead());
            }
            return values.matcher(((Good<Secret>) parsed).value().reveal()).matches()
                    ? parsed
                    : new Bad<>(
                            " with a character that " + what + " can't hold", "write letters, digits and punctuation");
        }
    }

    /**
     * Secrets by the names of what they belong to, one or several for each.
     *
     * @param names those that there are
     * @param max the most for one name
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
            Map<String, List<Secret>> secrets = new LinkedHashMap<>();
            for (Map.Entry<String, ConfigurationNode.Field> entry :
                    fields.get().byName().entrySet()) {
                String name = entry.getKey();
                if (!names.contains(name)) {
                    String near = AgentsSection.suggest(name, names);
                    return new Bad<>("has an entry [" + name + "], which is none of its names", near);
                }
                Parsed<List<Secret>> parsed =
                        new Credentials(max).parse(entry.getValue().value(), references);
                if (parsed instanceof Bad<List<Secret>> bad) {
                    return new Bad<>("has an entry [" + name + "] that " + bad.wrong(), bad.instead());
                }
                secrets.put(name, ((Good<List<Secret>>) parsed).value());
            }
            return new Good<>(secrets);
        }
    }
}
