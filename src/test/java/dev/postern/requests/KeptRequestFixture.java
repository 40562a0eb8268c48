package dev.postern.requests;

import dev.postern.model.HookRequest;
import dev.postern.model.IdGenerator;
import dev.postern.model.LoggedRequest;
import dev.postern.model.RequestLogEntry;
import dev.postern.store.Store;
import dev.postern.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A home whose request log has requests with kept payloads. */
public final class KeptRequestFixture implements AutoCloseable {

    private final Store store;
    private final PayloadCipher cipher;
    private final IdGenerator idGenerator = new IdGenerator(InstantSource.system());
    private final RequestTable requestTable = new RequestTable("node_1", 1L << 29, System::nanoTime);

    private KeptRequestFixture(Store store, PayloadCipher cipher) {
        this.store = store;
        this.cipher = cipher;
    }

    /** Opens the home's SQLite file, and writes its key of payloads. */
    public static KeptRequestFixture at(Path home) throws IOException, StoreException {
        byte[] key = new byte[PayloadCipher.KEY_BYTES];
        Files.createDirectories(home.resolve("secrets"));
        Files.writeString(
                home.resolve("secrets/payload-key"),
                Base64.getUrlEncoder().withoutPadding().encodeToString(key));
        return new KeptRequestFixture(Store.open(home, "test", InstantSource.system()), new PayloadCipher(key));
    }

    /** Keeps a request that arrives now, and was accepted as one action. */
    public String accepted(String hook, Map<String, String> headers, byte[] body, String mapping)
            throws StoreException {
        return keep(hook, headers, false, body, mapping, 202, "accepted", List.of("run_1"));
    }

    /** Keeps a request that arrives now, and was answered with an error. */
    public String failed(String hook, byte[] body, String mapping, int status, String code) throws StoreException {
        return keep(hook, Map.of(), false, body, mapping, status, code, List.of());
    }

    /** Keeps a handshake that arrives now, admitted by its signature, and was answered before any mapping. */
    public String handshake(String hook, Map<String, String> headers, byte[] body) throws StoreException {
        return keep(hook, headers, true, body, "", 200, "handshake", List.of());
    }

    private String keep(
            String hook,
            Map<String, String> headers,
            boolean bySignature,
            byte[] body,
            String mapping,
            int status,
            String code,
            List<String> became)
            throws StoreException {
        String id = idGenerator.request();
        Instant now = Instant.now();
        HookRequest request = new HookRequest(hook, body, headers, Map.of(), null, bySignature, null, now);
        RequestLogEntry entry = new RequestLogEntry(
                /* requestId= */ id,
                /* at= */ now,
                /* client= */ "192.0.2.1",
                /* credential= */ "token",
                /* sender= */ null,
                hook,
                mapping,
                status,
                code,
                /* detail= */ "",
                /* bytes= */ body.length,
                /* micros= */ 1,
                became);
        store.writeAndWait(
                requestTable,
                new LoggedRequest(
                        entry, null, cipher.seal(id, KeptPayload.of(request).bytes())));
        return id;
    }

    @Override
    public void close() {
        store.close();
    }
}
