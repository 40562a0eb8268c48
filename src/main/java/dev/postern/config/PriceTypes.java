package dev.postern.config;

import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Scalar;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The value types of settings that name a price. */
final class PriceTypes {

    private PriceTypes() {}

    /** The type of an amount of money: a decimal number from 0 to less than a million, with up to six decimal places. */
    record Amount() implements ValueType<BigDecimal> {

        static final Pattern SPELLING = Pattern.compile("(0|[1-9]\\d{0,5})(\\.\\d{1,6})?");

        @Override
        public String expected() {
            return "a decimal number from 0 to 999999, with at most six decimal places";
        }

        @Override
        public Parsed<BigDecimal> parse(ConfigurationNode node, SecretReferences references) {
            boolean number = node instanceof Scalar scalar && scalar.form() != Form.FLAG;
            if (!number) {
                return mismatch(node);
            }
            String text = ValueType.textOf(node).orElseThrow();
            return SPELLING.matcher(text).matches() ? new Valid<>(new BigDecimal(text)) : reject(text);
        }
    }

    /** The type of the prices of a provider's models: a map from a model's name to its two prices. */
    record Prices() implements ValueType<Map<String, ModelPrice>> {

        static final String INPUT = "input";
        static final String OUTPUT = "output";

        /** The pattern of a model's name, which is its id without the provider. */
        static final Pattern MODEL = Pattern.compile("\\S+");

        private static final Amount AMOUNT = new Amount();

        @Override
        public String expected() {
            return "a map from model to {input, output}, each the price of a million tokens";
        }

        /** The prices as a file may spell them, in one line. */
        @Override
        public String shown(ConfigurationNode node) {
            List<String> shown = new ArrayList<>();
            ListTypes.fields(node).ifPresent(models -> models.byName()
                    .forEach((model, price) ->
                            shown.add(model + ": {" + EffectiveSettingsReport.text(price.value()) + "}")));
            return String.join(", ", shown);
        }

        @Override
        public Parsed<Map<String, ModelPrice>> parse(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> models = ListTypes.fields(node);
            if (models.isEmpty()) {
                return mismatch(node);
            }
            Map<String, ModelPrice> prices = new LinkedHashMap<>();
            for (Map.Entry<String, ConfigurationNode.Field> entry :
                    models.get().byName().entrySet()) {
                String model = entry.getKey();
                Parsed<ModelPrice> price = MODEL.matcher(model).matches()
                        ? price(entry.getValue().value(), references)
                        : new Invalid<>("is no name of a model", "write the model's id without the provider");
                if (price instanceof Invalid<ModelPrice> invalid) {
                    return new Invalid<>("has an entry [" + model + "] that " + invalid.wrong(), invalid.instead());
                }
                prices.put(model, ((Valid<ModelPrice>) price).value());
            }
            return new Valid<>(prices);
        }

        private Parsed<ModelPrice> price(ConfigurationNode node, SecretReferences references) {
            Optional<Fields> fields = ListTypes.fields(node);
            if (fields.isEmpty()) {
                return new Invalid<>("is " + node.noun(), "write {input: 1.25, output: 10}");
            }
            for (String name : fields.get().byName().keySet()) {
                if (!name.equals(INPUT) && !name.equals(OUTPUT)) {
                    return new Invalid<>("has a member [" + name + "]", "write {input: 1.25, output: 10}");
                }
            }
            Parsed<BigDecimal> input = amount(fields.get(), INPUT, references);
            Parsed<BigDecimal> output = amount(fields.get(), OUTPUT, references);
            if (input instanceof Valid<BigDecimal> in && output instanceof Valid<BigDecimal> out) {
                return new Valid<>(new ModelPrice(in.value(), out.value()));
            }
            return ((Invalid<BigDecimal>) (input instanceof Invalid ? input : output)).as();
        }

        private static Parsed<BigDecimal> amount(Fields fields, String name, SecretReferences references) {
            ConfigurationNode node = fields.value(name);
            if (node == null) {
                return new Invalid<>("has no " + name, "write " + AMOUNT.expected());
            }
            return AMOUNT.parse(node, references) instanceof Invalid<BigDecimal> invalid
                    ? new Invalid<>("has an " + name + " that " + invalid.wrong(), invalid.instead())
                    : AMOUNT.parse(node, references);
        }
    }
}
