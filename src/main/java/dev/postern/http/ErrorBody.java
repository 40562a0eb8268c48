package dev.postern.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * The one shape of every error answer.
 *
 * @param error a sentence for a person
 * @param code a word for a program, see {@link ErrorCode}
 * @param field the field, header or parameter at fault, where one is
 */
@JsonPropertyOrder({"ok", "error", "code", "field"})
record ErrorBody(
        boolean ok, String error, String code, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String field) {

    static ErrorBody of(ErrorCode code, String error) {
        return of(code, error, null);
    }

    static ErrorBody of(ErrorCode code, String error, @Nullable String field) {
        return new ErrorBody(false, error, code.wire(), field);
    }
}
