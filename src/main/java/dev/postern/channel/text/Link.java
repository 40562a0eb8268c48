package dev.postern.channel.text;

/** A link from characters to an address. Each link of a reply is a separate object, even if the addresses are the same. */
final class Link {

    private final String address;
    private final boolean shown;

    private Link(String address, boolean shown) {
        this.address = address;
        this.shown = shown;
    }

    /** A link whose text is a label. */
    static Link behind(String address) {
        return new Link(address, false);
    }

    /** A link whose text is the address itself. */
    static Link shown(String address) {
        return new Link(address, true);
    }

    String address() {
        return address;
    }

    /** Whether the text is the address, which then must not be cut. */
    boolean isShown() {
        return shown;
    }
}
