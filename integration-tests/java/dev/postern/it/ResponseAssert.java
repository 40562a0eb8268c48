package dev.postern.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** An assertion on HTTP responses that holds the rules for each kind of response in one place. */
final class ResponseAssert extends AbstractAssert<ResponseAssert, RawResponse> {

    private ResponseAssert(RawResponse rawResponse) {
        super(rawResponse, ResponseAssert.class);
    }

    static ResponseAssert assertThatResponse(RawResponse rawResponse) {
        return new ResponseAssert(rawResponse).describedAs("%s", rawResponse);
    }

    /** A guarded JSON answer that is no error. */
    ResponseAssert isOk(int status) {
        assertThat(actual.status()).describedAs(descriptionText()).isEqualTo(status);
        isGuardedJson();
        assertThat(actual.json().get("ok").getAsBoolean()).isTrue();
        return this;
    }

    /** An error in the one shape that errors have, without a field at fault. */
    ResponseAssert isError(int status, String code) {
        return isError(status, code, List.of("ok", "error", "code"));
    }

    /** An error in the one shape that errors have, that names the field at fault. */
    ResponseAssert isError(int status, String code, String field) {
        isError(status, code, List.of("ok", "error", "code", "field"));
        assertThat(actual.text("field")).describedAs(descriptionText()).isEqualTo(field);
        return this;
    }

    ResponseAssert hasHeader(String name, String value) {
        assertThat(actual.header(name)).describedAs("%s of %s", name, actual).contains(value);
        return this;
    }

    ResponseAssert hasNoHeader(String name) {
        assertThat(actual.header(name)).describedAs("%s of %s", name, actual).isEmpty();
        return this;
    }

    ResponseAssert says(String part) {
        assertThat(actual.text("error")).contains(part);
        return this;
    }

    ResponseAssert closesTheConnection() {
        return hasHeader("Connection", "close");
    }

    private ResponseAssert isError(int status, String code, List<String> fields) {
        assertThat(actual.status()).describedAs(descriptionText()).isEqualTo(status);
        isGuardedJson();
        JsonObject body = actual.json();
        assertThat(new ArrayList<>(body.keySet())).isEqualTo(fields);
        assertThat(body.get("ok").getAsBoolean()).isFalse();
        assertThat(actual.text("code")).isEqualTo(code);
        assertThat(actual.text("error"))
                .describedAs("a sentence for a person that repeats nothing of the request")
                .matches("[A-Za-z].*\\.")
                .doesNotContain(Request.CANARY, "dev.postern", "Exception");
        return this;
    }

    private void isGuardedJson() {
        hasHeader("Content-Type", "application/json");
        hasHeader("Cache-Control", "no-store");
        hasHeader("X-Content-Type-Options", "nosniff");
    }
}
