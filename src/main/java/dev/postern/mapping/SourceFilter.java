package dev.postern.mapping;

import dev.postern.config.MappingSettings.TextField;
import dev.postern.mapping.template.TemplateInput;
import dev.postern.model.DeliveryMark;
import dev.postern.model.HookResult;
import dev.postern.model.NothingReason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter for events that a Postern caused itself. They ask for nothing: an agent would answer itself, or two would answer
 * each other, for ever.
 *
 * @param templates the mapping's templates
 * @param ownAccount the account of the channel that writes where the event happened; null if replies don't go there
 */
record SourceFilter(FieldTemplates templates, @Nullable String ownAccount) {

    /** What the filter says about an event; both are null if it passes. */
    record Verdict(HookResult.@Nullable Nothing nothing, @Nullable String error) {}

    Verdict verdict(TemplateInput input) {
        FieldTemplates.KeyText mark = templates.text(TextField.SOURCE_MARK, input);
        FieldTemplates.KeyText author = templates.text(TextField.SOURCE_AUTHOR, input);
        if (mark.error() != null || author.error() != null) {
            return new Verdict(null, mark.error() != null ? mark.error() : author.error());
        }
        boolean own = ownAccount != null && author.text() != null && ownAccount.equalsIgnoreCase(author.text());
        Optional<DeliveryMark> found = Optional.ofNullable(mark.text()).flatMap(DeliveryMark::in);
        if (found.isPresent()) {
            return new Verdict(nothing(found.get(), own), null);
        }
        return new Verdict(own ? new HookResult.Nothing(NothingReason.OWN_ACCOUNT, null) : null, null);
    }

    /** The result for a marked event. A mark without the delivery's id is another's only if the account is too. */
    private HookResult.Nothing nothing(DeliveryMark mark, boolean own) {
        if (mark.deliveryId() != null) {
            return new HookResult.Nothing(NothingReason.OTHER_POSTERN, mark.deliveryId());
        }
        NothingReason reason = own
                ? NothingReason.OWN_ACCOUNT
                : ownAccount == null ? NothingReason.OWN_DELIVERY : NothingReason.OTHER_POSTERN;
        return new HookResult.Nothing(reason, null);
    }
}
