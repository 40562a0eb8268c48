package dev.postern.console;

import dev.postern.model.DurationFormatter;
import dev.postern.model.VisibleText;
import freemarker.cache.ClassTemplateLoader;
import freemarker.core.TemplateClassResolver;
import freemarker.template.Configuration;
import freemarker.template.SimpleObjectWrapper;
import freemarker.template.SimpleScalar;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import freemarker.template.TemplateMethodModelEx;
import freemarker.template.TemplateModel;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateNumberModel;
import freemarker.template.TemplateScalarModel;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/** A renderer of pages from Postern's own templates, which escapes each text and makes its invisible characters visible. */
final class PageRenderer {

    private static final double NANOS_OF_MILLI = 1e6;

    private final Configuration templates;
    private final InstantSource clock;

    /** @param clock tells the age of times */
    PageRenderer(InstantSource clock) {
        this.clock = clock;
        this.templates = new Configuration(Configuration.VERSION_2_3_35);
        templates.setTemplateLoader(
                new ClassTemplateLoader(PageRenderer.class.getClassLoader(), "dev/postern/console"));
        templates.setDefaultEncoding(StandardCharsets.UTF_8.name());
        templates.setURLEscapingCharset(StandardCharsets.UTF_8.name());
        templates.setLocalizedLookup(false);
        templates.setTemplateUpdateDelayMilliseconds(Long.MAX_VALUE);
        templates.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        templates.setLogTemplateExceptions(false);
        templates.setWrapUncheckedExceptions(true);
        templates.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
        templates.setLocale(Locale.ROOT);
        templates.setNumberFormat("c");
        templates.setTimeZone(TimeZone.getTimeZone("UTC"));
        templates.setObjectWrapper(new VisibleTextWrapper());
        templates.setSharedVariable("original", (TemplateMethodModelEx) PageRenderer::original);
        templates.setSharedVariable("encoded", (TemplateMethodModelEx) PageRenderer::encoded);
        templates.setSharedVariable("duration", (TemplateMethodModelEx) PageRenderer::duration);
        templates.setSharedVariable("ago", (TemplateMethodModelEx) this::ago);
        templates.setSharedVariable("ticks", (TemplateMethodModelEx) PageRenderer::ticks);
        templates.setSharedVariable("size", (TemplateMethodModelEx) PageRenderer::size);
    }

    /**
     * The page that {@code template} renders from {@code values}.
     *
     * @param template the name of a file beside this class's resources, without its ending
     */
    String page(String template, Map<String, ?> values) {
        StringWriter page = new StringWriter();
        try {
            templates.getTemplate(template + ".ftlh").process(values, page);
        } catch (TemplateException e) {
            throw new IllegalStateException("the page [" + template + "] is broken", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.toString();
    }

    /** A template value that shows the invisible characters of {@code text}. */
    private record Shown(String text) implements TemplateScalarModel {

        @Override
        public String getAsString() {
            return VisibleText.text(text);
        }
    }

    /** A text as it is, with its invisible characters, for a field that is sent again. */
    private static TemplateModel original(List<?> arguments) throws TemplateModelException {
        return new SimpleScalar(plain(arguments));
    }

    /** A text encoded for a link: the original and not the shown one, so that the link has the right address. */
    private static TemplateModel encoded(List<?> arguments) throws TemplateModelException {
        return new SimpleScalar(URLEncoder.encode(plain(arguments), StandardCharsets.UTF_8));
    }

    private static String plain(List<?> arguments) throws TemplateModelException {
        if (arguments.size() != 1 || !(arguments.get(0) instanceof TemplateScalarModel text)) {
            throw new TemplateModelException("one text is needed");
        }
        return text instanceof Shown shown ? shown.text() : text.getAsString();
    }

    /** A duration, given in ISO 8601 or as a number of milliseconds, as text for people. */
    private static TemplateModel duration(List<?> arguments) throws TemplateModelException {
        Object given = arguments.get(0);
        if (given instanceof TemplateNumberModel millis) {
            return durationFormatter(
                    Duration.ofNanos(Math.round(millis.getAsNumber().doubleValue() * NANOS_OF_MILLI)));
        }
        if (given instanceof TemplateScalarModel iso) {
            return durationFormatter(Duration.parse(iso.getAsString()));
        }
        throw new TemplateModelException("duration takes ISO 8601 or a number of milliseconds");
    }

    private static TemplateModel durationFormatter(Duration duration) {
        return new SimpleScalar(DurationFormatter.precise(duration));
    }

    /** The age of a time, given in ISO 8601, as text for people. */
    private TemplateModel ago(List<?> arguments) throws TemplateModelException {
        return new SimpleScalar(RelativeTimeText.of(Instant.parse(plain(arguments)), clock.instant()));
    }

    /** The ticks of an axis up to a number. */
    private static List<Long> ticks(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) instanceof TemplateNumberModel most) {
            return AxisTicks.upTo(most.getAsNumber().longValue());
        }
        throw new TemplateModelException("ticks takes a number");
    }

    /** A number of bytes as text for people. */
    private static TemplateModel size(List<?> arguments) throws TemplateModelException {
        if (arguments.get(0) instanceof TemplateNumberModel bytes) {
            return new SimpleScalar(SizeText.of(bytes.getAsNumber().longValue()));
        }
        throw new TemplateModelException("size takes a number of bytes");
    }

    /** An object wrapper for strings, shown as {@link VisibleText} does, and for numbers, booleans, lists and maps only. */
    private static final class VisibleTextWrapper extends SimpleObjectWrapper {

        VisibleTextWrapper() {
            super(Configuration.VERSION_2_3_35);
        }

        @Override
        public @Nullable TemplateModel wrap(@Nullable Object value) throws TemplateModelException {
            return value instanceof String text ? new Shown(text) : super.wrap(value);
        }
    }

    /** The ticks of a chart's axis: whole numbers from 0, at equal distances of 1, 2 or 5 times a power of ten. */
    static final class AxisTicks {

        private static final int MOST_STEPS = 4;
        private static final int BASE = 10;
        private static final long[] STEPS = {1, 2, 5};

        private AxisTicks() {}

        /** Two to five ticks. The last one is {@code most} or more. */
        static List<Long> upTo(long most) {
            long step = step(Math.max(1, most));
            List<Long> ticks = new ArrayList<>();
            for (long tick = 0; tick - step < most || ticks.size() < 2; tick += step) {
                ticks.add(tick);
            }
            return ticks;
        }

        private static long step(long most) {
            for (long power = 1; ; power *= BASE) {
                for (long step : STEPS) {
                    if (step * power * MOST_STEPS >= most) {
                        return step * power;
                    }
                }
            }
        }
    }
}
