package dev.postern.console;

import dev.postern.acceptance.RunFilter;
import dev.postern.budget.SpendingDimension;
import dev.postern.model.BlankText;
import dev.postern.model.DeliveryState;
import dev.postern.model.SessionId;
import dev.postern.model.SessionKey;
import dev.postern.requests.ResponseKind;
import dev.postern.statistics.CountRange;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A provider of converters for query parameters. A blank parameter counts as missing; an error names the parameter. */
final class ParameterConverterProvider implements ParamConverterProvider {

    private static final int MAX_LENGTH = 200;

    /** The end of what the database's numbers and a page can show. */
    private static final Instant END_OF_TIME = Instant.parse("+10000-01-01T00:00:00Z");

    @Override
    public <T> @Nullable ParamConverter<T> getConverter(Class<T> type, Type genericType, Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            if (annotation instanceof QueryParam parameter) {
                return converter(type, parameter.value());
            }
        }
        return null;
    }

    private static <T> @Nullable ParamConverter<T> converter(Class<T> type, String name) {
        if (type == String.class) {
            return of(name, MAX_LENGTH, text -> type.cast(text.strip()));
        }
        if (type == Long.class) {
            return of(name, MAX_LENGTH, text -> type.cast(number(name, text.strip())));
        }
        if (type == Boolean.class) {
            return of(
                    name,
                    MAX_LENGTH,
                    text -> type.cast(choice(name, text, new Boolean[] {true, false}, String::valueOf)));
        }
        if (type == Instant.class) {
            return of(name, MAX_LENGTH, text -> type.cast(instant(name, text.strip())));
        }
        if (type == DeliveryState.class) {
            return of(
                    name,
                    MAX_LENGTH,
                    text -> type.cast(choice(name, text, DeliveriesResource.STATES, DeliveryState::wire)));
        }
        if (type == ResponseKind.class) {
            return of(
                    name, MAX_LENGTH, text -> type.cast(choice(name, text, ResponseKind.values(), ResponseKind::wire)));
        }
        if (type == CountRange.class) {
            return of(name, MAX_LENGTH, text -> type.cast(choice(name, text, CountRange.values(), CountRange::wire)));
        }
        if (type == SpendingDimension.class) {
            return of(
                    name,
                    MAX_LENGTH,
                    text -> type.cast(choice(name, text, SpendingDimension.values(), SpendingDimension::wire)));
        }
        if (type == RunFilter.Order.class) {
            return of(
                    name,
                    MAX_LENGTH,
                    text -> type.cast(choice(name, text, RunFilter.Order.values(), RunFilter.Order::wire)));
        }
        if (type == SessionKey.class) {
            return of(name, SessionKey.MAX_LENGTH, text -> type.cast(new SessionKey(visible(name, text))));
        }
        return type == SessionId.class
                ? of(name, SessionId.MAX_LENGTH, text -> type.cast(new SessionId(visible(name, text))))
                : null;
    }

    private static <T> ParamConverter<T> of(String name, int maxLength, Function<String, T> conversion) {
        return new ParamConverter<>() {

            @Override
            public @Nullable T fromString(@Nullable String value) {
                @Nullable String text = text(name, value, maxLength);
                return text == null ? null : conversion.apply(text);
            }

            @Override
            public String toString(T value) {
                return value.toString();
            }
        };
    }

    /**
     * A parameter as it was sent; null where it is missing or blank.
     *
     * @param maxLength in characters
     * @throws ParameterException for a longer one
     */
    static @Nullable String text(String name, @Nullable String value, int maxLength) {
        if (value == null || value.isBlank()) {
            return null;
        }
        if (value.length() > maxLength) {
            throw new ParameterException(name + " is longer than " + maxLength + " characters.");
        }
        return value;
    }

    /**
     * The id after which a page of a list begins, from the parameter {@code before}; null where that is missing.
     *
     * @param prefix the id's characters before the underscore
     * @throws ParameterException for anything but {@code prefix}, an underscore and 26 characters
     */
    static @Nullable String idBefore(String prefix, @Nullable String value) {
        if (value != null && !value.matches(prefix + "_[0-9a-z]{26}")) {
            throw new ParameterException("before is not an id of the form " + prefix
                    + "_ and 26 characters. Send the field older of the previous page.");
        }
        return value;
    }

    private static Long number(String name, String value) {
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw new ParameterException(name + " is not a whole number.");
        }
    }

    private static Instant instant(String name, String value) {
        try {
            Instant time = Instant.parse(value);
            if (!time.isBefore(Instant.EPOCH) && time.isBefore(END_OF_TIME)) {
                return time;
            }
        } catch (DateTimeParseException e) {
            throw new ParameterException(name + " is not a time such as 2026-01-31T14:05:00Z.");
        }
        throw new ParameterException(name + " is not a time from 1970 to 9999.");
    }

    /**
     * The one of {@code choices} whose word is {@code value}.
     *
     * @throws ParameterException if there is none
     */
    static <T> T choice(String name, String value, T[] choices, Function<T, String> word) {
        List<T> all = Arrays.asList(choices);
        return all.stream()
                .filter(choice -> word.apply(choice).equals(value.strip()))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        name + " must be one of " + all.stream().map(word).collect(Collectors.joining(", ")) + "."));
    }

    private static String visible(String name, String value) {
        if (BlankText.isBlank(value) || value.chars().anyMatch(Character::isISOControl)) {
            throw new ParameterException(
                    name + " is not a session key: it needs a visible character, and no control characters.");
        }
        return value;
    }
}
