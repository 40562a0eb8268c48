package dev.postern.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.postern.config.ConfigurationNode.Field;
import dev.postern.config.ConfigurationNode.Fields;
import dev.postern.config.ConfigurationNode.Form;
import dev.postern.config.ConfigurationNode.Items;
import dev.postern.config.ConfigurationNode.Nothing;
import dev.postern.config.ConfigurationNode.Scalar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reader of JSON with the following of JSON5: comments, single quotes, unquoted names, trailing commas, all
 * escapes of strings, and numbers that begin or end with a point or begin with a plus.
 */
final class JsonConfigurationReader {

    /** A converter of a line and a column, both from 1, into an origin. */
    interface Locator {
        ValueOrigin at(int line, int column);
    }

    private static final JsonFactory JSON5 = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS)
            .build();

    private final Locator locator;
    private final ConfigurationProblems problems;

    JsonConfigurationReader(Locator locator, ConfigurationProblems problems) {
        this.locator = locator;
        this.problems = problems;
    }

    /** The tree of {@code text}; empty if the text is empty or malformed. Malformed text is reported as a problem. */
    Optional<ConfigurationNode> read(String text) {
        Json5Text json = new Json5Text(text);
        try (JsonParser parser = JSON5.createParser(json.characters())) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            ConfigurationNode root = new TreeReader(parser, json).node("");
            if (parser.nextToken() != null) {
                malformed(
                        at(json, parser.currentTokenLocation()),
                        "goes on after its end",
                        "remove what follows the closing brace");
            }
            return Optional.of(root);
        } catch (Json5Text.EscapeException escape) {
            malformed(
                    json.at(escape.offset, locator),
                    "has an escape here that JSON5 does not have",
                    "write \\\\ for a backslash, or \\u and four hexadecimal digits for a character");
            return Optional.empty();
        } catch (JsonProcessingException malformed) {
            malformed(json, malformed);
            return Optional.empty();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text in memory could not be read", impossible);
        }
    }

    private void malformed(Json5Text json, JsonProcessingException malformed) {
        ValueOrigin origin = at(json, malformed.getLocation());
        // The parser's own message quotes the text, which may be a secret.
        if (json.isHexadecimalAt(offset(malformed.getLocation()) - 1)) {
            malformed(origin, "has a hexadecimal number here", "write it in decimal digits");
        } else if (malformed.getOriginalMessage().contains("was expecting comma")) {
            malformed(origin, "is no valid JSON here", "write a comma before this");
        } else {
            malformed(origin, "is no valid JSON here", "correct the syntax at or just before this place");
        }
    }

    private void malformed(ValueOrigin origin, String wrong, String instead) {
        problems.add(ConfigurationFile.WHOLE, origin, wrong, instead);
    }

    private ValueOrigin at(Json5Text json, @Nullable JsonLocation location) {
        return json.at(offset(location), locator);
    }

    private static int offset(@Nullable JsonLocation location) {
        return location == null ? 0 : (int) Math.max(0, location.getCharOffset());
    }

    /** A reader of the tree from the parser's present token on. */
    private final class TreeReader {

        private final JsonParser parser;
        private final Json5Text json;

        TreeReader(JsonParser parser, Json5Text json) {
            this.parser = parser;
            this.json = json;
        }

        ConfigurationNode node(String path) throws IOException {
            ValueOrigin origin = at(json, parser.currentTokenLocation());
            JsonToken token = parser.currentToken();
            return switch (token) {
                case START_OBJECT -> fields(path, origin);
                case START_ARRAY -> items(path, origin);
                case VALUE_NULL -> new Nothing(origin);
                case VALUE_TRUE, VALUE_FALSE -> new Scalar(parser.getText(), Form.FLAG, origin);
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Scalar(parser.getText(), Form.NUMBER, origin);
                default -> new Scalar(text(), Form.TEXT, origin);
            };
        }

        private String text() throws IOException {
            parser.finishToken();
            int offset = offset(parser.currentTokenLocation());
            return json.isStringAt(offset) ? json.stringAt(offset) : parser.getText();
        }

        private Fields fields(String path, ValueOrigin origin) throws IOException {
            Map<String, Field> byName = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                ValueOrigin nameOrigin = at(json, parser.currentTokenLocation());
                String name = text();
                String inner = SettingNames.join(path, name);
                parser.nextToken();
                Field earlier = byName.put(name, new Field(nameOrigin, node(inner)));
                if (earlier != null) {
                    problems.add(
                            inner,
                            nameOrigin,
                            "is written twice, first at " + earlier.nameOrigin(),
                            "keep one of them");
                }
            }
            return new Fields(byName, origin);
        }

        private Items items(String path, ValueOrigin origin) throws IOException {
            List<ConfigurationNode> nodes = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                nodes.add(node(path + "[" + nodes.size() + "]"));
            }
            return new Items(nodes, origin);
        }
    }
}
