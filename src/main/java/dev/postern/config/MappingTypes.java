package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Scalar;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The value types of mapped hooks' settings. Templates are not compiled here. */
final class MappingTypes {

    private MappingTypes() {}

    /** The beginning of a placeholder or a directive. */
    static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{|<#|\\{\\{");

    private static final String QUOTES = "put it in quotes: without them {{ begins a map";

    /** Whether {@code text} holds a placeholder or a directive. */
    static boolean isTemplated(String text) {
        return PLACEHOLDER.matcher(text).find();
    }

    /** The literal text before the first placeholder or directive of {@code template}. */
    static String literalBeginning(String template) {
        Matcher placeholder = PLACEHOLDER.matcher(template);
        return placeholder.find() ? template.substring(0, placeholder.start()) : template;
    }

    /** The type of a template: text of any number of lines, not blank. White space at its end is dropped. */
    record Template(String what) implements ValueType<String> {

        @Override
        public String expected() {
            return what;
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            if (!(node instanceof Scalar scalar)) {
                return new Invalid<>("is " + node.noun(), "write " + what + " as a text; " + QUOTES);
            }
            if (ValueType.freeTextOf(node).isEmpty()) {
                return new Invalid<>("is true or false", "put it in quotes if it is meant as a text");
            }
            String text = scalar.text().stripTrailing();
            if (text.isBlank()) {
                return new Invalid<>("is blank", "write " + what + ", or leave the setting out");
            }
            return text.chars().anyMatch(Template::isStray)
                    ? new Invalid<>("holds a control character", "write it without")
                    : new Valid<>(text);
        }

        private static boolean isStray(int c) {
            return Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t';
        }
    }

    /** The type of a template, or of a text without placeholders, which {@code literal} has to accept. */
    record Templated(ValueType<String> literal) implements ValueType<String> {

        @Override
        public String expected() {
            return literal.expected() + ", or a template";
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            if (!(node instanceof Scalar)) {
                return new Invalid<>("is " + node.noun(), "write " + expected() + "; " + QUOTES);
            }
            Optional<String> template = ValueType.textOf(node).filter(MappingTypes::isTemplated);
            return template.isPresent()
                    ? new Template(literal.expected()).parse(node, references)
                    : literal.parse(node, references);
        }
    }

    /** The type of a text that is taken unchanged and may be empty. */
    record Verbatim(String what) implements ValueType<String> {

        @Override
        public String expected() {
            return what;
        }

        @Override
        public Parsed<String> parse(ConfigurationNode node, SecretReferences references) {
            return node instanceof Scalar scalar ? new Valid<>(scalar.text()) : mismatch(node);
        }
    }

    /** The type of a map of request headers, by lower-case name. A value may be a secret that the sender shares. */
    record HeaderMap() implements SecretValueType<Map<String, String>> {

        private static final ValueType<String> VALUE = new ScalarTypes.Text("the header's value");

        @Override
        public String expected() {
            return "a map from header name to value";
        }

        @Override
        public Parsed<Map<String, String>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> fields = ListTypes.fields(node);
            if (fields.isEmpty()) {
                return mismatch(node);
            }
            Map<String, String> values = new LinkedHashMap<>();
            for (Map.Entry<String, ConfigurationNode.Field> entry :
                    fields.get().byName().entrySet()) {
                String name = entry.getKey();
                if (!ScalarTypes.HEADER_NAME.matcher(name).matches()) {
                    return new Invalid<>("has an entry [" + name + "], which is no header's name", "correct it");
                }
                Parsed<String> value = VALUE.parse(entry.getValue().value(), references);
                if (value instanceof Invalid<String> invalid) {
                    return new Invalid<>("has an entry [" + name + "] that " + invalid.wrong(), invalid.instead());
                }
                if (values.put(name.toLowerCase(Locale.ROOT), ((Valid<String>) value).value()) != null) {
                    return new Invalid<>(
                            "has the header [" + name + "] twice", "keep one of them; case does not matter");
                }
            }
            return new Valid<>(values);
        }
    }
}
