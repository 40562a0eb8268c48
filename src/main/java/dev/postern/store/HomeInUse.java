package dev.postern.store;

/** Another Postern, of this process or not, has the home or the SQLite file. */
public final class HomeInUse extends NotNow {

    HomeInUse(String message) {
        super(message);
    }
}
