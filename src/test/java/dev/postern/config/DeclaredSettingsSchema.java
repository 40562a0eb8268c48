package dev.postern.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.config.SettingDeclaration.Group;
import dev.postern.config.SettingDeclaration.Rows;
import dev.postern.config.SettingDeclaration.Setting;
import dev.postern.config.SettingDeclaration.Table;
import dev.postern.model.DurationText;
import dev.postern.model.ThinkingLevels;
import java.util.List;
import java.util.regex.Pattern;

/** The JSON Schema (draft 7, the one best known to editors) of the declared settings. */
final class DeclaredSettingsSchema {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ACCEPTS_REFERENCES = " May hold ${env:NAME} and ${file:path}.";

    private final ObjectNode definitions = JSON.createObjectNode();

    private DeclaredSettingsSchema() {}

    static ObjectNode schema() {
        DeclaredSettingsSchema schema = new DeclaredSettingsSchema();
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "http://json-schema.org/draft-07/schema#");
        root.put("title", "postern.yaml");
        root.setAll(schema.group(DeclaredSettings.ROOT));
        root.set("definitions", schema.definitions);
        return root;
    }

    private ObjectNode group(Group group) {
        ObjectNode node = described("object", group.description());
        ObjectNode properties = node.putObject("properties");
        for (SettingDeclaration settingDeclaration : group.members()) {
            properties.set(settingDeclaration.name(), member(settingDeclaration));
        }
        return node.put("additionalProperties", false);
    }

    private ObjectNode member(SettingDeclaration settingDeclaration) {
        if (settingDeclaration instanceof Setting<?> setting) {
            return setting(setting);
        }
        if (settingDeclaration instanceof Group inner) {
            return group(inner);
        }
        if (settingDeclaration instanceof Rows rows) {
            ObjectNode node = described("array", rows.description());
            node.set("items", group(rows.row()));
            return node;
        }
        return table((Table) settingDeclaration);
    }

    private ObjectNode table(Table table) {
        ObjectNode node = described("object", table.description());
        node.putObject("propertyNames").put("pattern", whole(SectionReader.ID.pattern()));
        if (!table.hasKinds()) {
            node.set("additionalProperties", group(table.kinds().get(0)));
            return node;
        }
        ObjectNode named = JSON.createObjectNode().put("type", "object");
        named.putArray("required").add(DeclaredSettings.KIND);
        for (Group kind : table.kinds()) {
            ObjectNode definition = group(kind);
            definition
                    .withObject("/properties/" + DeclaredSettings.KIND)
                    .putArray("enum")
                    .add(kind.name());
            definitions.set(table.name() + "." + kind.name(), definition);
            ObjectNode choice = named.withArray("allOf").addObject();
            choice.putObject("if")
                    .putObject("properties")
                    .putObject(DeclaredSettings.KIND)
                    .put("const", kind.name());
            choice.set("then", reference(table, kind));
        }
        ObjectNode properties = node.putObject("properties");
        for (Group kind : table.kinds()) {
            properties.set(
                    kind.name(),
                    table.reserved().contains(kind.name()) ? reference(table, kind) : unlessNamed(table, kind));
        }
        definitions.set(table.name(), named);
        node.set("additionalProperties", reference(table.name()));
        return node;
    }

    /** The schema of an entry whose id is the name of a kind; it is of that kind unless it names another. */
    private static ObjectNode unlessNamed(Table table, Group kind) {
        ObjectNode node = JSON.createObjectNode();
        node.putObject("if").putArray("required").add(DeclaredSettings.KIND);
        node.set("then", reference(table.name()));
        node.set("else", reference(table, kind));
        return node;
    }

    private static ObjectNode reference(Table table, Group kind) {
        return reference(table.name() + "." + kind.name());
    }

    private static ObjectNode reference(String definition) {
        return JSON.createObjectNode().put("$ref", "#/definitions/" + definition);
    }

    private static ObjectNode setting(Setting<?> setting) {
        ObjectNode node = kind(setting.type());
        boolean secret = setting.type().getClass().getEnclosingClass() == SecretTypes.class;
        node.put("description", setting.description() + (secret ? ACCEPTS_REFERENCES : ""));
        if (setting.defaultText() != null) {
            node.set("default", JSON.valueToTree(setting.defaultText()));
        }
        return node;
    }

    private static ObjectNode kind(ValueType<?> valueType) {
        ObjectNode node = JSON.createObjectNode();
        if (valueType instanceof ScalarTypes.Flag) {
            return node.put("type", "boolean");
        } else if (valueType instanceof ScalarTypes.Whole whole) {
            return node.put("type", "integer").put("minimum", whole.min()).put("maximum", whole.max());
        } else if (valueType instanceof ScalarTypes.Text text) {
            node.put("type", "string").put("minLength", 1);
            return text.isFree()
                    ? node
                    : node.put("pattern", whole(text.pattern().pattern()));
        } else if (valueType instanceof ScalarTypes.Choice choice) {
            return enumeration(node, choice.words());
        } else if (valueType instanceof ScalarTypes.Level) {
            ObjectNode further = JSON.createObjectNode().put("type", "string");
            return anyOf(
                    enumeration(node, ThinkingLevels.LEVELS),
                    further.put("pattern", whole(SectionReader.ID.pattern())));
        } else if (valueType instanceof ScalarTypes.Exposure exposure) {
            enumeration(node, exposure.words());
            node.withArray("enum").add(false).add(true);
            return node;
        } else if (valueType instanceof ScalarTypes.TimeOfDay) {
            return node.put("type", "string").put("pattern", whole(ScalarTypes.TimeOfDay.SPELLING.pattern()));
        } else if (valueType instanceof RateType) {
            return node.put("type", "string").put("pattern", whole(RateType.SPELLING.pattern()));
        } else if (valueType instanceof ScalarTypes.Percent) {
            return node.put("type", "string").put("pattern", whole(ScalarTypes.Percent.SPELLING.pattern()));
        } else if (valueType instanceof InstantType) {
            return node.put("type", "string").put("pattern", whole(InstantType.SPELLING.pattern()));
        } else if (valueType instanceof ScalarTypes.Zone) {
            return node.put("type", "string");
        } else if (valueType instanceof NetworkType) {
            return node.put("type", "string").put("pattern", whole(NetworkType.SPELLING.pattern()));
        } else if (valueType instanceof ScalarTypes.Address) {
            return node.put("type", "string").put("pattern", "^https?://");
        } else if (valueType instanceof DurationType durationType) {
            ObjectNode text = JSON.createObjectNode().put("type", "string");
            text.put(
                    "pattern",
                    whole(
                            durationType.zero()
                                    ? DurationText.SPELLING.pattern() + "|0|off"
                                    : DurationText.SPELLING.pattern()));
            return durationType.zero() ? oneOf(text, JSON.createObjectNode().put("const", 0)) : text;
        } else if (valueType instanceof SizeType sizeType) {
            ObjectNode text = JSON.createObjectNode().put("type", "string");
            node.put("type", "integer").set("minimum", number(sizeType.min()));
            node.set("maximum", number(sizeType.max()));
            return oneOf(text.put("pattern", whole(SizeType.SPELLING.pattern())), node);
        } else if (valueType instanceof MappingTypes.Template) {
            return node.put("type", "string").put("minLength", 1);
        } else if (valueType instanceof MappingTypes.Verbatim) {
            return node.put("type", "string");
        } else if (valueType instanceof MappingTypes.Templated templated) {
            return templated(templated);
        }
        return several(valueType, node);
    }

    private static ObjectNode templated(MappingTypes.Templated templated) {
        ObjectNode literal = kind(templated.literal());
        boolean any = templated.literal() instanceof ScalarTypes.Text text && text.isFree();
        ObjectNode template = JSON.createObjectNode().put("type", "string");
        template.put("pattern", MappingTypes.PLACEHOLDER.pattern());
        return any ? literal : anyOf(literal, template);
    }

    private static ObjectNode secrets(Pattern names, ObjectNode node, ObjectNode value) {
        node.put("type", "object").putObject("propertyNames").put("pattern", whole(names.pattern()));
        node.set("additionalProperties", value);
        return node;
    }

    private static ObjectNode several(ValueType<?> valueType, ObjectNode node) {
        ObjectNode string = JSON.createObjectNode().put("type", "string").put("minLength", 1);
        if (valueType instanceof SecretTypes.Credential
                || valueType instanceof SecretTypes.CredentialLines
                || valueType instanceof SecretTypes.StoredCredential
                || valueType instanceof SecretTypes.Guarded
                || valueType instanceof SecretTypes.GuardedAddress) {
            return string;
        } else if (valueType instanceof SecretTypes.Credentials credentials) {
            ObjectNode list = array(string).put("minItems", 1).put("maxItems", credentials.max());
            return oneOf(string.deepCopy(), list);
        } else if (valueType instanceof TokenHashType hashes) {
            string.put("pattern", whole(TokenHashType.SPELLING.pattern()));
            return oneOf(string.deepCopy(), array(string).put("minItems", 1).put("maxItems", hashes.max()));
        } else if (valueType instanceof SecretTypes.CredentialMap map) {
            return secrets(map.names(), node, string);
        } else if (valueType instanceof SecretTypes.CredentialsMap map) {
            ObjectNode properties = node.put("type", "object").putObject("properties");
            map.names().forEach(name -> properties.set(name, several(new SecretTypes.Credentials(map.max()), string)));
            return node.put("additionalProperties", false);
        } else if (valueType instanceof ListTypes.ChoiceMap map) {
            ObjectNode properties = node.put("type", "object").putObject("properties");
            map.names().forEach(name -> properties.set(name, kind(map.choice())));
            return node.put("additionalProperties", false);
        } else if (valueType instanceof MappingTypes.HeaderMap) {
            return secrets(ScalarTypes.HEADER_NAME, node, string);
        } else if (valueType instanceof ListTypes.TextList list) {
            return array(kind(list.element()));
        } else if (valueType instanceof ListTypes.CommandLine) {
            return array(JSON.createObjectNode().put("type", "string")).put("minItems", 1);
        } else if (valueType instanceof ListTypes.ModelList) {
            ObjectNode id =
                    JSON.createObjectNode().put("type", "string").put("pattern", whole(ListTypes.MODEL_ID.pattern()));
            ObjectNode map = JSON.createObjectNode().put("type", "object");
            map.set("additionalProperties", id);
            return oneOf(array(id.deepCopy()), map);
        } else if (valueType instanceof PriceTypes.Prices) {
            return prices(node);
        } else if (valueType instanceof PriceTypes.Amount) {
            return amount(node);
        } else if (valueType instanceof ListTypes.Anything) {
            return node;
        }
        throw new AssertionError("no schema is known for " + valueType.getClass());
    }

    private static ObjectNode prices(ObjectNode node) {
        node.put("type", "object").putObject("propertyNames").put("pattern", whole(PriceTypes.Prices.MODEL.pattern()));
        ObjectNode price = node.putObject("additionalProperties").put("type", "object");
        ObjectNode members = price.putObject("properties");
        for (String name : List.of(PriceTypes.Prices.INPUT, PriceTypes.Prices.OUTPUT)) {
            amount(members.putObject(name));
            price.withArray("required").add(name);
        }
        price.put("additionalProperties", false);
        return node;
    }

    private static ObjectNode amount(ObjectNode node) {
        return node.put("type", "number").put("minimum", 0).put("exclusiveMaximum", 1_000_000);
    }

    private static ObjectNode described(String type, String does) {
        return JSON.createObjectNode().put("type", type).put("description", does);
    }

    private static ObjectNode enumeration(ObjectNode node, List<String> words) {
        words.forEach(node.withArray("enum")::add);
        return node;
    }

    private static ObjectNode array(ObjectNode items) {
        ObjectNode node = JSON.createObjectNode().put("type", "array");
        node.set("items", items);
        return node;
    }

    private static ObjectNode anyOf(ObjectNode... choices) {
        ObjectNode node = JSON.createObjectNode();
        node.putArray("anyOf").addAll(List.of(choices));
        return node;
    }

    private static ObjectNode oneOf(ObjectNode... choices) {
        ObjectNode node = JSON.createObjectNode();
        node.putArray("oneOf").addAll(List.of(choices));
        return node;
    }

    /** The node of {@code number} that a parser makes, which takes the smallest type. */
    private static JsonNode number(long number) {
        return number == (int) number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
    }

    private static String whole(String pattern) {
        return "^(" + pattern + ")$";
    }
}
