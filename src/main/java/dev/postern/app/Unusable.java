package dev.postern.app;

import dev.postern.channel.vendor.Vendors;
import dev.postern.config.Settings;
import java.util.List;

/** What the settings name and this version can't use, to be said before the first delivery fails for it. */
final class Unusable {

    private Unusable() {}

    /** One sentence each, with what to write instead. */
    static List<String> of(Settings settings) {
        return Vendors.unusable(settings.channels());
    }
}
