package dev.postern.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postern.model.ErrorCode;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * The JSON body of every error response.
 *
 * @param ok always false
 * @param error a sentence for a person
 * @param code a word for a program, see {@link ErrorCode}
 * @param field the field, header or parameter at fault; null if there is none
 */
@JsonPropertyOrder({"ok", "error", "code", "field"})
record ErrorBody(
        boolean ok, String error, String code, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String field) {

    /** The writer of error bodies, and of all responses outside the console. */
    static final JsonMapper JSON = new JsonMapper();

    static ErrorBody of(ErrorCode code, String error) {
        return of(code, error, null);
    }

    static ErrorBody of(ErrorCode code, String error, @Nullable String field) {
        return new ErrorBody(false, error, code.wire(), field);
    }

    /** The body of an unexpected error, which is in the log under {@code id}. */
    static ErrorBody internal(String id) {
        return of(ErrorCode.INTERNAL, "Something went wrong here. The log has it under " + id + ".");
    }

    Response response(int status) {
        return Response.status(status)
                .entity(this)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    /** Writes this as JSON. */
    byte[] json() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer of ours can't be written as JSON", e);
        }
    }
}
