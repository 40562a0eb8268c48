package dev.postern.http;

import dev.postern.observe.RequestLog;
import java.time.InstantSource;

/** A source of response recorders whose counts are zero. */
final class ResponseRecorderFixture {

    private ResponseRecorderFixture() {}

    static ResponseRecorder newRecorder() {
        return new ResponseRecorder(new RequestLog(10, 10, System::nanoTime), InstantSource.system());
    }
}
