package dev.postern.app.launch;

import java.nio.ByteBuffer;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.coyote.ProtocolHandler;

/**
 * A connector whose requests and responses have small buffers, since those of a request that waits stay for as long as it
 * waits. Tomcat's usual ones are 72 KB for each request, these are 42 KB. What they buffer is not missed: a body is read
 * straight from the connection, and Jersey has a buffer of its own from which it tells the length of a response.
 */
final class SmallBufferConnector extends Connector {

    private static final int RESPONSE_BYTES = 512;

    SmallBufferConnector(ProtocolHandler protocol) {
        super(protocol);
    }

    @Override
    public Request createRequest(org.apache.coyote.Request coyoteRequest) {
        return new SmallBufferRequest(this, coyoteRequest);
    }

    @Override
    public Response createResponse(org.apache.coyote.Response coyoteResponse) {
        return new Response(coyoteResponse, RESPONSE_BYTES);
    }

    /** A request without the buffer of its body, which Tomcat replaces at the first read by that of the connection. */
    private static final class SmallBufferRequest extends Request {

        SmallBufferRequest(Connector connector, org.apache.coyote.Request coyoteRequest) {
            super(connector, coyoteRequest);
            ByteBuffer none = ByteBuffer.allocate(0);
            inputBuffer.setByteBuffer(none);
        }
    }
}
