package dev.postern.store;

/** Another Postern, of this process or not, has the home or the SQLite file, or needs the database as it is. */
public final class Occupied extends NotNow {

    Occupied(String message) {
        super(message);
    }
}
