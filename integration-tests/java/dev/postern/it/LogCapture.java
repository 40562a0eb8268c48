package dev.postern.it;

import java.util.List;

/** A log that collects everything that the server logs while it is open, with Postern's own lines at all levels. */
interface LogCapture extends AutoCloseable {

    /** Each line as an operator would read it, with its stack trace where it has one. */
    List<String> lines();

    /** What would worry an operator: warnings of Postern's, and warnings of anybody's that show an exception. */
    List<String> alarms();

    @Override
    void close();
}
