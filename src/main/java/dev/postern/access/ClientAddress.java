package dev.postern.access;

import dev.postern.model.Excerpt;
import jakarta.servlet.http.HttpServletRequest;

/** The address of a client, as logs and pages show it. */
public final class ClientAddress {

    /** More than a numeric address with a scope has. */
    private static final int LONGEST = 64;

    private ClientAddress() {}

    /**
     * The address from which {@code request} came, as the container tells it; of another text no more than {@value #LONGEST}
     * characters. A container that believes a proxy's header takes any text in it for the address.
     */
    public static String of(HttpServletRequest request) {
        return Excerpt.of(String.valueOf(request.getRemoteAddr()), LONGEST);
    }
}
