package dev.postern.mapping.template;

import static java.util.Map.entry;

import freemarker.core.Environment;
import freemarker.core.InvalidReferenceException;
import freemarker.core.NonBooleanException;
import freemarker.core.NonDateException;
import freemarker.core.NonExtendedHashException;
import freemarker.core.NonHashException;
import freemarker.core.NonMethodException;
import freemarker.core.NonNumericalException;
import freemarker.core.NonSequenceException;
import freemarker.core.NonSequenceOrCollectionException;
import freemarker.core.NonStringException;
import freemarker.core.StopException;
import freemarker.core.TemplateProcessingTracer;
import freemarker.core.UnparsableValueException;
import freemarker.template.TemplateException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A template body with guards, which FreeMarker runs on the caller's thread. */
record GuardedBody(
        freemarker.template.Template template,
        SourceMapWriter.Origins origins,
        List<String> literals,
        List<PlaceholderPath> lookups)
        implements TemplateBody {

    private static final System.Logger LOG = System.getLogger(GuardedBody.class.getName());

    static final String TOO_DEEP = "The values here are nested too deeply.";

    private static final String UNFIT = "This does not work with the values that are here.";

    /** The message for each of FreeMarker's exceptions, or for its cause. */
    private static final Map<Class<?>, String> SENTENCES = Map.ofEntries(
            entry(NonNumericalException.class, "A number is needed here."),
            entry(
                    NonBooleanException.class,
                    "True or false is needed here: compare the value with something. For greater write gt, since > ends the tag."),
            entry(NonStringException.class, "A text is needed here."),
            entry(NonSequenceException.class, "A list is needed here."),
            entry(NonSequenceOrCollectionException.class, "A list is needed here."),
            entry(NonExtendedHashException.class, "An object is needed here."),
            entry(NonHashException.class, "An object is needed here."),
            entry(NonDateException.class, "A date is needed here: make one with ?datetime.iso or ?number_to_datetime."),
            entry(
                    NonMethodException.class,
                    "A format needs a number or a date: make one with ?number or ?datetime.iso."),
            entry(InvalidReferenceException.class, "A value is needed here, and there is none."),
            entry(UnparsableValueException.class, "The text here is no date of this format."),
            entry(ArithmeticException.class, "Nothing can be divided by zero."));

    GuardedBody {
        literals = List.copyOf(literals);
        lookups = List.copyOf(lookups);
    }

    @Override
    public RenderResult render(TemplateInput input, RenderBudget renderBudget) {
        BoundedWriter text = new BoundedWriter(Template.MAX_OUTPUT);
        Progress progress = new Progress(renderBudget);
        try {
            Environment run = template.createProcessingEnvironment(
                    new TemplateFunctions(input, renderBudget, literals, lookups), text);
            run.setTemplateProcessingTracer(progress);
            run.process();
            return new RenderResult.Text(text.toString());
        } catch (StopException e) {
            return new RenderResult.Nothing();
        } catch (TemplateException e) {
            Integer line = e.getLineNumber();
            Integer column = e.getColumnNumber();
            TemplatePosition templatePosition =
                    line == null || column == null ? progress.place(origins) : origins.of(line, column);
            return new RenderResult.Failed(templatePosition, sentence(e));
        } catch (BudgetExceededException e) {
            return new RenderResult.Failed(progress.place(origins), e.sentence());
        } catch (StackOverflowError e) {
            return new RenderResult.Failed(progress.place(origins), TOO_DEEP);
        } catch (IOException | RuntimeException e) {
            // A message of FreeMarker or the JDK may contain a value, so only the exception's class is logged.
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Template failed with {0}",
                    e.getClass().getName());
            return new RenderResult.Failed(progress.place(origins), UNFIT);
        }
    }

    private static String sentence(TemplateException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String known = cause instanceof RenderException renderException
                    ? renderException.sentence()
                    : SENTENCES.get(cause.getClass());
            if (known != null) {
                return known;
            }
        }
        return UNFIT;
    }

    @Override
    public boolean isConstant() {
        return false;
    }

    /** A tracer that checks the budget at every element, and remembers the last element. */
    private static final class Progress implements TemplateProcessingTracer {

        private final RenderBudget renderBudget;
        private @Nullable TracedElement last;

        Progress(RenderBudget renderBudget) {
            this.renderBudget = renderBudget;
        }

        @Override
        public void enterElement(Environment run, TracedElement element) {
            last = element;
            renderBudget.tick();
        }

        @Override
        public void exitElement(Environment run, TracedElement element) {}

        TemplatePosition place(SourceMapWriter.Origins origins) {
            return last == null ? TemplatePosition.START : origins.of(last.getBeginLine(), last.getBeginColumn());
        }
    }
}
