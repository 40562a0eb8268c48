package dev.postern.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolSchemaConverterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "[]",
                "{'type':'string'}",
                "{'type':['object','null']}",
                "{'$ref':'#/$defs/name','$defs':{'name':{'type':'string'}}}",
                "{'type':'object','properties':{'a':{'type':'date'}}}",
                "{'type':'object','properties':{'a':{'type':[]}}}",
                "{'type':'object','properties':{'a':{'$ref':'#no-pointer'}}}",
            })
    void refusesWhatIsNotUnderstood(String schema) {
        assertThatThrownBy(() -> ToolSchemaConverter.ofArguments(json(schema)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesReferencesThatMultiply() {
        StringBuilder defs = new StringBuilder("'d0':{'type':'string'}");
        for (int i = 1; i < 30; i++) {
            String inner = "{'$ref':'#/$defs/d" + (i - 1) + "'}";
            defs.append(",'d" + i + "':{'anyOf':[" + inner + "," + inner + "]}");
        }
        String schema = "{'properties':{'a':{'$ref':'#/$defs/d29'}},'$defs':{" + defs + "}}";

        assertThatThrownBy(() -> ToolSchemaConverter.ofArguments(json(schema))).hasMessage("too many parts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'string','enum':['','','x'%s]}",
                "{'type':'string','description':'%s'}",
                "{'type':'string','const':'%s'}",
                "{'type':'object','properties':{'p%s':{'type':'string'}}}",
                "{'type':'object','properties':{'p':{'type':'string'}},'required':['p'%s]}"
            })
    void refusesReferencesThatMultiplyWhatIsLong(String part) {
        String list = ",'p'".repeat(1_000);
        String target = part.formatted(part.contains("]") ? list : "x".repeat(4_000));
        StringBuilder properties = new StringBuilder("'a':{'$ref':'#/$defs/long'}");
        for (int i = 0; i < 100; i++) {
            properties.append(",'a" + i + "':{'$ref':'#/$defs/long'}");
        }
        String schema = "{'properties':{" + properties + "},'$defs':{'long':" + target + "}}";

        assertThatThrownBy(() -> ToolSchemaConverter.ofArguments(json(schema))).hasMessage("too long");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'string','minLength':3}                       | {'type':'string'}",
                "{'type':'string','enum':['x','y']}                    | {'type':'string','enum':['x','y']}",
                "{'enum':['x',null]}                                   | {'type':'string','enum':['x']}",
                "{'const':'x'}                                         | {'type':'string','enum':['x']}",
                "{'type':'integer','minimum':1,'description':'count'}  | {'type':'integer','description':'count'}",
                "{'type':['string','null'],'description':'d'}          | {'anyOf':[{'type':'string'},{'type':'null'}],'description':'d'}",
                "{'type':['string','string','null']}                   | {'anyOf':[{'type':'string'},{'type':'null'}]}",
                "{'oneOf':[{'type':'number'},{'type':'boolean'}]}      | {'anyOf':[{'type':'number'},{'type':'boolean'}]}",
                "{'items':{'type':'string'}}                           | {'type':'array','items':{'type':'string'}}",
                "{'type':'array','items':true}                         | {'type':'array','items':{'anyOf':[{'type':'string'},{'type':'number'},{'type':'boolean'},{'type':'object'}]}}",
                "{'$ref':'#/$defs/name','description':'d'}             | {'type':'string','description':'d'}",
                "{'allOf':[{'$ref':'#/$defs/name'}]}                   | {'type':'string'}",
                "{'$ref':'https://elsewhere.example/schema'}           | {'type':'object'}",
                "true                                                  | {'anyOf':[{'type':'string'},{'type':'number'},{'type':'boolean'},{'type':'object'},{'type':'array','items':{'anyOf':[{'type':'string'},{'type':'number'},{'type':'boolean'},{'type':'object'}]}}]}",
                "{'description':'any JSON value'}                      | {'anyOf':[{'type':'string'},{'type':'number'},{'type':'boolean'},{'type':'object'},{'type':'array','items':{'anyOf':[{'type':'string'},{'type':'number'},{'type':'boolean'},{'type':'object'}]}}],'description':'any JSON value'}",
                "{'additionalProperties':true}                         | {'type':'object','properties':{},'required':[],'additionalProperties':true}",
                "{'enum':[10,20]}                                      | {'type':'number','description':'One of: 10, 20.'}",
                "{'type':'integer','enum':[1,2],'description':'d'}     | {'type':'integer','description':'d One of: 1, 2.'}",
                "{'const':5}                                           | {'type':'number','description':'One of: 5.'}",
                "{'const':true}                                        | {'type':'boolean'}",
                "{'allOf':[{'minLength':1},{'type':'string'}]}         | {'type':'string'}",
                "{'allOf':[{'$ref':'#/$defs/point'},{'properties':{'z':{'type':'number'}},'required':['z']}],'description':'d'}"
                        + " | {'type':'object','properties':{'x':{'type':'number'},'z':{'type':'number'}},'required':['x','z'],'description':'d'}",
                "{'type':'object','properties':{'x':{'type':'string'}},'allOf':[{'$ref':'#/$defs/point'}]}"
                        + " | {'type':'object','properties':{'x':{'type':'string'}},'required':['x']}",
            })
    void saysAPropertyInWordsThatEveryProviderTakes(String given, String said) throws JsonProcessingException {
        JsonNode schema = json("{'type':'object','properties':{'a':" + given + "},'$defs':{'name':{'type':'string'},"
                + "'point':{'type':'object','properties':{'x':{'type':'number'}},'required':['x'],"
                + "'additionalProperties':false}}}");

        assertThat(ToolSchemaConverter.ofArguments(schema).path("properties").path("a"))
                .isEqualTo(json(said));
    }

    @Test
    void endsAReferenceToWhatItStandsIn() throws JsonProcessingException {
        String tree = "{'type':'object','properties':{'left':{'$ref':'#/$defs/tree'}}}";
        JsonNode schema = json("{'$ref':'#/$defs/tree','$defs':{'tree':" + tree + "}}");

        assertThat(ToolSchemaConverter.ofArguments(schema))
                .isEqualTo(json("{'type':'object','properties':{'left':{'type':'object'}},'required':[]}"));
    }

    @Test
    void joinsThePartsOfTheArguments() throws JsonProcessingException {
        JsonNode schema = json("{'type':'object','allOf':[{'properties':{'a':{'type':'string'}},'required':['a']},"
                + "{'if':{},'then':{}}],'properties':{'b':{'type':'number'}}}");

        assertThat(ToolSchemaConverter.ofArguments(schema))
                .isEqualTo(json("{'type':'object','properties':{'b':{'type':'number'},'a':{'type':'string'}},"
                        + "'required':['a']}"));
    }

    @Test
    void keepsWhatIsRequiredAndThatNothingElseIsTaken() throws JsonProcessingException {
        JsonNode schema = json("{'properties':{'a':{'type':'string'},'$ref':{'type':'string'}},'required':['a','b'],"
                + "'additionalProperties':false}");

        assertThat(ToolSchemaConverter.ofArguments(schema))
                .isEqualTo(json("{'type':'object','properties':{'a':{'type':'string'},'$ref':{'type':'string'}},"
                        + "'required':['a'],'additionalProperties':false}"));
    }

    @Test
    void forbidsNothingWhereValuesHaveASchema() throws JsonProcessingException {
        JsonNode schema = json("{'properties':{'map':{'type':'object','additionalProperties':{'type':'string'}}}}");

        assertThat(ToolSchemaConverter.ofArguments(schema)
                        .path("properties")
                        .path("map")
                        .has("additionalProperties"))
                .isFalse();
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return SampleTools.JSON.readTree(text.replace('\'', '"'));
    }
}
