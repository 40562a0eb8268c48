package dev.postern.channel.vendor;

/** The result of one exchange with an SMTP server, exactly one of these. None holds any text of the server or of a mail. */
sealed interface SmtpResult {

    /** The server has done what it was asked. */
    record Done() implements SmtpResult {}

    /**
     * The server has refused a command.
     *
     * @param status the reply code (RFC 5321, section 4.2), at least 400
     * @param code the reply code and, if there is one, the enhanced status code (RFC 3463)
     */
    record Rejected(int status, String code) implements SmtpResult {

        /** Whether a later attempt may succeed. */
        boolean isTemporary() {
            return status / 100 == 4;
        }
    }

    /**
     * The server has refused the login.
     *
     * @param code the reply code and, if there is one, the enhanced status code
     */
    record LoginRejected(String code) implements SmtpResult {}

    /** The server offers no login, or none by this kind of secret, so that the secret was not tried. */
    record LoginNotOffered() implements SmtpResult {}

    /** An exchange that ended before the whole mail was sent. */
    record Unsent(HttpResult.Failure fault) implements SmtpResult {}

    /** An exchange that ended after the whole mail was sent, but before the server's reply to it. */
    record Lost(HttpResult.Failure fault) implements SmtpResult {}
}
