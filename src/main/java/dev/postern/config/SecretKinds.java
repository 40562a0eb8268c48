package dev.postern.config;

import dev.postern.config.Node.Fields;
import dev.postern.config.Node.Scalar;
import dev.postern.model.Secret;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of settings whose values are never shown. All may hold references. */
final class SecretKinds {

    private SecretKinds() {}

    private static final String REFERENCE = "${env:NAME} or ${file:secrets/name}";

    /** The value of a secret scalar, resolved. */
    private static Kind.Parsed<String> reveal(Node node, References references) {
        Optional<String> text = Kind.freeTextOf(node);
        if (text.isEmpty()) {
            return new Kind.Bad<>("is " + node.noun(), "write the secret in quotes, or " + REFERENCE);
        }
        if (text.get().isEmpty()) {
            return new Kind.Bad<>("is blank", "write the secret, or " + REFERENCE);
        }
        Kind.Parsed<String> resolved = references.resolve(text.get());
        if (resolved instanceof Kind.Good<String> good && good.value().chars().anyMatch(Character::isISOControl)) {
            return new Kind.Bad<>("holds a line break or another control character", "write it as one line");
        }
        return resolved;
    }

    /** One secret. */
    record Credential() implements Kind<Secret> {

        @Override
        public String expected() {
            return "the secret, or " + REFERENCE;
        }

        @Override
        public Parsed<Secret> parse(Node node, References references) {
            Parsed<String> revealed = reveal(node, references);
            return revealed instanceof Good<String> good
                    ? new Good<>(new Secret(good.value()))
                    : ((Bad<String>) revealed).as();
        }
    }

    /** Text that may hold a credential among other things, such as a JDBC URL. */
    record Guarded(String what) implements Kind<String> {

        @Override
        public String expected() {
            return what;
        }

        @Override
        public Parsed<String> parse(Node node, References references) {
            return reveal(node, references);
        }
    }

    /** One secret, or several during a rotation. */
    record Credentials(int max) implements Kind<List<Secret>> {

        @Override
        public String expected() {
            return "a secret or a list of at most " + max + ", each as it is or as " + REFERENCE;
        }

        @Override
        public Parsed<List<Secret>> parse(Node node, References references) {
            Optional<List<Node>> items = ListKinds.items(node);
            if (items.isEmpty() && !(node instanceof Scalar)) {
                return mismatch(node);
            }
            List<Secret> secrets = new ArrayList<>();
            for (Node item : items.orElse(List.of(node))) {
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

    /** Secrets by name, such as HTTP headers. */
    record CredentialMap() implements Kind<Map<String, Secret>> {

        @Override
        public String expected() {
            return "a map from name to value, each value as it is or with " + REFERENCE;
        }

        @Override
        public Parsed<Map<String, Secret>> parse(Node node, References references) {
            Optional<Fields> fields = ListKinds.fields(node);
            if (fields.isEmpty()) {
                return mismatch(node);
            }
            Map<String, Secret> secrets = new LinkedHashMap<>();
            for (Map.Entry<String, Node.Field> entry : fields.get().byName().entrySet()) {
                Parsed<Secret> parsed = new Credential().parse(entry.getValue().value(), references);
                if (parsed instanceof Bad<Secret> bad) {
                    return new Bad<>("has an entry [" + entry.getKey() + "] that " + bad.wrong(), bad.instead());
                }
                secrets.put(entry.getKey(), ((Good<Secret>) parsed).value());
            }
            return new Good<>(secrets);
        }
    }

    /**
     * Secrets by the names of what they belong to, one or several for each.
     *
     * @param names those that there are
     * @param max the most for one name
     */
    record CredentialsMap(List<String> names, int max) implements Kind<Map<String, List<Secret>>> {

        @Override
        public String expected() {
            return "a map from name to secret, or to a list of at most " + max + ", each as it is or as " + REFERENCE;
        }

        @Override
        public Parsed<Map<String, List<Secret>>> parse(Node node, References references) {
            Optional<Fields> fields = ListKinds.fields(node);
            if (fields.isEmpty()) {
                return mismatch(node);
            }
            Map<String, List<Secret>> secrets = new LinkedHashMap<>();
            for (Map.Entry<String, Node.Field> entry : fields.get().byName().entrySet()) {
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
