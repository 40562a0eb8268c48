package dev.postern.http;

import dev.postern.observe.RequestLog;
import java.time.InstantSource;

/** Answers that were counted. */
final class Counting {

    private Counting() {}

    static ResponseRecorder nothing() {
        return new ResponseRecorder(new RequestLog(10, 10, System::nanoTime), InstantSource.system());
    }
}
