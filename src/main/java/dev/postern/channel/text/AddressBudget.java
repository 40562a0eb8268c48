package dev.postern.channel.text;

/** A budget for the addresses of a reply, because a link that is defined once can be used any number of times. */
final class AddressBudget {

    /** Limit by which all addresses together may exceed the reply's length. */
    private static final int BEYOND_REPLY = 10_000;

    private long left;

    private AddressBudget(long left) {
        this.left = left;
    }

    static AddressBudget of(String reply) {
        return new AddressBudget((long) reply.length() + BEYOND_REPLY);
    }

    /** A budget of its own with as much left as this one. */
    AddressBudget copy() {
        return new AddressBudget(left);
    }

    boolean holds(String address) {
        return address.length() <= left;
    }

    /** Takes {@code address} from the budget; false, and takes nothing, if the budget does not hold it. */
    boolean take(String address) {
        boolean isHeld = holds(address);
        left -= isHeld ? address.length() : 0;
        return isHeld;
    }
}
