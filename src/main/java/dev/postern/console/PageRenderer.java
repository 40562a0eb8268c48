package dev.postern.console;

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
import freemarker.template.TemplateScalarModel;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/** Writes pages from our own templates: whatever is put into one is text, and none of it is hidden. */
final class PageRenderer {

    private final Configuration templates;

    PageRenderer() {
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
        templates.setObjectWrapper(new Wrapping());
        templates.setSharedVariable("encoded", (TemplateMethodModelEx) PageRenderer::encoded);
    }

    /**
     * The page that {@code template} makes of {@code values}.
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

    /** What a page shows of {@code text}. */
    private record Shown(String text) implements TemplateScalarModel {

        @Override
        public String getAsString() {
            return VisibleText.text(text);
        }
    }

    /** A text as a part of a link: as it is, and not as it is shown, so that the link leads to what was meant. */
    private static TemplateModel encoded(List<?> arguments) throws TemplateModelException {
        if (arguments.size() != 1 || !(arguments.get(0) instanceof TemplateScalarModel text)) {
            throw new TemplateModelException("encoded takes one text");
        }
        String plain = text instanceof Shown shown ? shown.text() : text.getAsString();
        return new SimpleScalar(URLEncoder.encode(plain, StandardCharsets.UTF_8));
    }

    /** Shows texts as {@link VisibleText} does; takes nothing but texts, numbers, truths, lists and maps. */
    private static final class Wrapping extends SimpleObjectWrapper {

        Wrapping() {
            super(Configuration.VERSION_2_3_35);
        }

        @Override
        public @Nullable TemplateModel wrap(@Nullable Object value) throws TemplateModelException {
            return value instanceof String text ? new Shown(text) : super.wrap(value);
        }
    }
}
