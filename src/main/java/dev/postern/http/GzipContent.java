package dev.postern.http;

import dev.postern.access.BodyLimit;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The content of a body that its sender has compressed with gzip (RFC 9110, section 8.4.1.3). */
final class GzipContent {

    /** The most bytes of content for each byte of the body; JSON of the same line again and again stays below. */
    static final int MAX_RATIO = 100;

    /** The bytes of content that any body may have, however small it is. */
    private static final int FREE_BYTES = 65_536;

    private static final String HEADER = "Content-Encoding";

    /** The names of the coding (RFC 9110, section 8.4.1.3). */
    private static final Set<String> NAMES = Set.of("gzip", "x-gzip");

    private GzipContent() {}

    /** The error in the codings of {@code request}; null if its body can be read. */
    static @Nullable FixedErrorResponse codingError(HttpServletRequest request, BodyLimit limit) {
        List<String> codings = codings(request);
        if (codings.isEmpty()) {
            return null;
        }
        if (!limit.takesGzip()) {
            return FixedErrorResponse.CONTENT_ENCODING;
        }
        return codings.size() == 1 && NAMES.contains(codings.get(0))
                ? null
                : FixedErrorResponse.CONTENT_ENCODING_BESIDE_GZIP;
    }

    /** Whether the body of {@code request}, which has no {@link #codingError}, is compressed. */
    static boolean isIn(HttpServletRequest request, BodyLimit limit) {
        return limit.takesGzip() && !codings(request).isEmpty();
    }

    /** The header's values in lower case, except {@code identity}. */
    private static List<String> codings(HttpServletRequest request) {
        if (request.getHeader(HEADER) == null) {
            return List.of();
        }
        return Collections.list(request.getHeaders(HEADER)).stream()
                .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
                .filter(coding -> !coding.equals("identity"))
                .toList();
    }

    /** The most content in bytes that a body of {@code count} bytes may have. */
    static int largest(int count, BodyLimit limit) {
        return (int) Math.min(limit.maxBytes(), Math.max(FREE_BYTES, (long) count * MAX_RATIO));
    }

    /** Passes the content of {@code body} to {@code next}, and returns its result; or the error that prevents it. */
    static AdmissionResult decode(byte[] body, BodyLimit limit, Function<byte[], AdmissionResult> next) {
        if (body.length == 0) {
            return next.apply(body);
        }
        int largest = largest(body.length, limit);
        byte[] content;
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            content = in.readNBytes(largest + 1);
        } catch (IOException malformed) {
            return FixedErrorResponse.NOT_GZIP;
        }
        if (content.length <= largest) {
            return next.apply(content);
        }
        return largest == limit.maxBytes()
                ? FixedErrorResponse.contentTooLarge(limit)
                : FixedErrorResponse.EXPANDS_TOO_FAR;
    }
}
