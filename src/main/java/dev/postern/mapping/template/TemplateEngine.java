package dev.postern.mapping.template;

import freemarker.core.ArithmeticEngine;
import freemarker.core.Environment;
import freemarker.core.PlainTextOutputFormat;
import freemarker.core.TemplateClassResolver;
import freemarker.core.TemplateNumberFormat;
import freemarker.core.TemplateNumberFormatFactory;
import freemarker.template.Configuration;
import freemarker.template.ObjectWrapper;
import freemarker.template.SimpleObjectWrapper;
import freemarker.template.Template;
import freemarker.template.TemplateExceptionHandler;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

/**
 * The FreeMarker engine, locked down: no classes, no loading, no Java objects, and not the machine's locale or time zone.
 */
final class TemplateEngine {

    static final ObjectWrapper WRAPPER = new SimpleObjectWrapper(Configuration.VERSION_2_3_35);

    private static final Configuration AS_WRITTEN = configuration();
    private static final Configuration GUARDED = configuration();

    static {
        // A number that is too long is rejected later, where its position is known.
        AS_WRITTEN.setArithmeticEngine(ArithmeticEngine.BIGDECIMAL_ENGINE);
        // White space was stripped when the original was parsed.
        GUARDED.setWhitespaceStripping(false);
    }

    private TemplateEngine() {}

    /** Parses a template as its author wrote it. */
    static Template read(String text) throws IOException {
        return new Template("template", text, AS_WRITTEN);
    }

    /** Parses the template that is run, from the text that {@link DirectiveRewriter} has written. */
    static Template guarded(String text) throws IOException {
        return new Template("template", text, GUARDED);
    }

    private static Configuration configuration() {
        Configuration engine = new Configuration(Configuration.VERSION_2_3_35);
        engine.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
        engine.setAPIBuiltinEnabled(false);
        engine.setObjectWrapper(WRAPPER);
        engine.setTemplateLoader(null);
        engine.setLocalizedLookup(false);
        engine.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        engine.setLogTemplateExceptions(false);
        engine.setTagSyntax(Configuration.ANGLE_BRACKET_TAG_SYNTAX);
        engine.setInterpolationSyntax(Configuration.DOLLAR_INTERPOLATION_SYNTAX);
        engine.setNamingConvention(Configuration.LEGACY_NAMING_CONVENTION);
        engine.setRecognizeStandardFileExtensions(false);
        engine.setOutputFormat(PlainTextOutputFormat.INSTANCE);
        engine.setFallbackOnNullLoopVariable(false);
        engine.setTabSize(1);
        engine.setLocale(Locale.ROOT);
        engine.setTimeZone(TimeZone.getTimeZone(ZoneOffset.UTC));
        engine.setURLEscapingCharset(StandardCharsets.UTF_8.name());
        engine.setArithmeticEngine(DecimalArithmetic.INSTANCE);
        engine.setCustomNumberFormats(Map.of(OriginalNumberFormatFactory.NAME, new OriginalNumberFormatFactory()));
        engine.setNumberFormat("@" + OriginalNumberFormatFactory.NAME);
        engine.setBooleanFormat("c");
        engine.setDateTimeFormat("iso");
        engine.setDateFormat("iso");
        engine.setTimeFormat("iso");
        return engine;
    }

    /** A factory of the default number format, which shows numbers as they were sent. */
    private static final class OriginalNumberFormatFactory extends TemplateNumberFormatFactory {

        static final String NAME = "sent";

        private static final TemplateNumberFormat FORMAT = new Format();

        @Override
        public TemplateNumberFormat get(String params, Locale locale, Environment env) {
            return FORMAT;
        }

        private static final class Format extends TemplateNumberFormat {

            @Override
            public String formatToPlainText(TemplateNumberModel number) throws TemplateModelException {
                if (number == JsonTemplateModels.NONE) {
                    return "";
                }
                return number instanceof JsonTemplateModels.Json sent
                        ? ValueFormatter.number(sent.node())
                        : ValueFormatter.number(number.getAsNumber());
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
}
