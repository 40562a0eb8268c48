package dev.postern.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;

/**
 * A generator of error ids that connect a 5xx response to its line in the log. The sender sees only the id; the operator
 * finds the stack trace by it. Safe for use by many threads.
 */
public final class ErrorIds {

    private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final int BITS_PER_DIGIT = 5;
    private static final int LENGTH = 10;

    private final SecureRandom random = new SecureRandom();

    /**
     * Logs {@code fault} as an error under a new id.
     *
     * @param logger the logger of the class that caught the error
     * @param what the operation that failed, without secrets and payloads
     * @return the id for the response's body: {@code err_} and ten random characters of Crockford's base 32
     */
    public String log(Logger logger, String what, Throwable fault) {
        String id = next();
        logger.log(Level.ERROR, id + " " + what, fault);
        return id;
    }

    private String next() {
        StringBuilder id = new StringBuilder("err_");
        long bits = random.nextLong();
        for (int i = 0; i < LENGTH; i++) {
            id.append(DIGITS.charAt((int) bits & 31));
            bits >>>= BITS_PER_DIGIT;
        }
        return id.toString();
    }
}
