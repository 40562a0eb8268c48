package dev.postern.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/**
 * An answer that is to be sent as JSON. It is of a type with a writer of its own, since Jersey chooses among all that write any
 * object, and a server's Jersey (GlassFish's) brings more of those than ours.
 */
record JsonAnswer(Object content) {

    /** Writes answers. */
    static final class Writer implements MessageBodyWriter<JsonAnswer> {

        @Override
        public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
            return type == JsonAnswer.class;
        }

        @Override
        public void writeTo(
                JsonAnswer answer,
                Class<?> type,
                Type genericType,
                Annotation[] annotations,
                MediaType mediaType,
                MultivaluedMap<String, Object> headers,
                OutputStream out)
                throws IOException {
            out.write(Json.bytes(answer.content));
        }
    }
}
