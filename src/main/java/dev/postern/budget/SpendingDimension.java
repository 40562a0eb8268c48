package dev.postern.budget;

/** A dimension by which spending is grouped. */
public enum SpendingDimension {
    HOOK("hook"),
    SENDER("sender"),
    AGENT("agent"),
    PROVIDER("provider"),
    MODEL("model");

    private final String wire;

    SpendingDimension(String wire) {
        this.wire = wire;
    }

    /** The value as query parameters spell it. */
    public String wire() {
        return wire;
    }

    SpendingGroup group(SpendingKey key) {
        String name =
                switch (this) {
                    case HOOK -> key.hook();
                    case SENDER -> key.sender();
                    case AGENT -> key.agent();
                    case PROVIDER -> key.model().split("/", 2)[0];
                    case MODEL -> key.model();
                };
        return new SpendingGroup(name, this == HOOK && key.kind().equals(SpendingKey.HEARTBEAT));
    }
}
