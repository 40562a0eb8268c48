package dev.postern.mapping.template;

import freemarker.core.Environment;
import freemarker.core.TemplateNumberFormat;
import freemarker.core.TemplateNumberFormatFactory;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import java.util.Locale;

/** The format of numbers that a template gives no other: as they were sent. */
final class AsSent extends TemplateNumberFormatFactory {

    static final String NAME = "sent";

    private static final TemplateNumberFormat FORMAT = new Format();

    @Override
    public TemplateNumberFormat get(String params, Locale locale, Environment env) {
        return FORMAT;
    }

    private static final class Format extends TemplateNumberFormat {

        @Override
        public String formatToPlainText(TemplateNumberModel number) throws TemplateModelException {
            if (number == Values.NONE) {
                return "";
            }
            return number instanceof Values.Json sent
                    ? JsonText.number(sent.node())
                    : JsonText.number(number.getAsNumber());
        }

        @Override
        public boolean isLocaleBound() {
            return false;
        }

        @Override
        public String getDescription() {
            return "as sent";
        }
    }
}
