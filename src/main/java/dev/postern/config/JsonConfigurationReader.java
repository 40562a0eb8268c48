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
 * A reader of JSON with the following of JSON5: comments, single quotes, unquoted names, trailing commas, and numbers
 * that begin or end with a point or begin with a plus.
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
        try (JsonParser parser = JSON5.createParser(text)) {
            if (parser.nextToken() == null) {
                return Optional.empty();
            }
            ConfigurationNode root = node(parser, "");
            if (parser.nextToken() != null) {
                malformed(
                        parser.currentTokenLocation(),
                        "goes on after its end",
                        "remove what follows the closing brace");
            }
            return Optional.of(root);
        } catch (JsonProcessingException malformed) {
            // The parser's own message quotes the text, which may be a secret.
            boolean comma = malformed.getOriginalMessage().contains("was expecting comma");
            malformed(
                    malformed.getLocation(),
                    "is no valid JSON here",
                    comma ? "write a comma before this" : "correct the syntax at or just before this place");
            return Optional.empty();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text in memory could not be read", impossible);
        }
    }

    private void malformed(@Nullable JsonLocation location, String wrong, String instead) {
        ValueOrigin origin = location == null ? locator.at(1, 1) : at(location);
        problems.add(ConfigurationFile.WHOLE, origin, wrong, instead);
    }

    private ValueOrigin at(JsonLocation location) {
        return locator.at(location.getLineNr(), location.getColumnNr());
    }

    private ConfigurationNode node(JsonParser parser, String path) throws IOException {
        ValueOrigin origin = at(parser.currentTokenLocation());
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> fields(parser, path, origin);
            case START_ARRAY -> items(parser, path, origin);
            case VALUE_NULL -> new Nothing(origin);
            case VALUE_TRUE, VALUE_FALSE -> new Scalar(parser.getText(), Form.FLAG, origin);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Scalar(parser.getText(), Form.NUMBER, origin);
            default -> new Scalar(parser.getText(), Form.TEXT, origin);
        };
    }

    private Fields fields(JsonParser parser, String path, ValueOrigin origin) throws IOException {
        Map<String, Field> byName = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            ValueOrigin nameOrigin = at(parser.currentTokenLocation());
            String inner = SettingNames.join(path, name);
            parser.nextToken();
            Field earlier = byName.put(name, new Field(nameOrigin, node(parser, inner)));
            if (earlier != null) {
                problems.add(
                        inner, nameOrigin, "is written twice, first at " + earlier.nameOrigin(), "keep one of them");
            }
        }
        return new Fields(byName, origin);
    }

    private Items items(JsonParser parser, String path, ValueOrigin origin) throws IOException {
        List<ConfigurationNode> nodes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            nodes.add(node(parser, path + "[" + nodes.size() + "]"));
        }
        return new Items(nodes, origin);
    }
}
