package dev.postern.mapping.script.rhino;

import dev.postern.mapping.script.CallDepthInstrumenter;
import dev.postern.mapping.script.ScriptMeter;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.DefiningClassLoader;
import org.mozilla.javascript.ErrorReporter;
import org.mozilla.javascript.Evaluator;
import org.mozilla.javascript.GeneratedClassLoader;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;

/**
 * A factory of Rhino's contexts. No context shows a Java class to a script, and none compiles while a script runs, be it by
 * {@code eval}, {@code Function} or any other way.
 */
final class SandboxContextFactory extends ContextFactory {

    private static final int STEPS_BETWEEN_LOOKS = 10_000;

    /** The most nested calls of interpreted code, which are kept on the heap. */
    private static final int DEEPEST_INTERPRETED = 30_000;

    static {
        OperationLinker.install();
    }

    /** Runs {@code work} in a new context that may compile. */
    <T> T compiling(boolean interpreted, Supplier<T> work) {
        SandboxContext context = (SandboxContext) enterContext();
        try {
            context.compiling = true;
            context.setInterpretedMode(interpreted);
            if (interpreted) {
                context.setMaximumInterpreterStackDepth(DEEPEST_INTERPRETED);
            }
            return work.get();
        } finally {
            Context.exit();
        }
    }

    @Override
    protected Context makeContext() {
        Context context = new SandboxContext(this);
        context.setLanguageVersion(Context.VERSION_ECMASCRIPT);
        context.setInterpretedMode(false);
        context.setGeneratingDebug(false);
        context.setGenerateObserverCount(true);
        context.setInstructionObserverThreshold(STEPS_BETWEEN_LOOKS);
        context.setClassShutter(name -> false);
        context.setLocale(Locale.ROOT);
        context.setTimeZone(TimeZone.getTimeZone("UTC"));
        return context;
    }

    @Override
    protected GeneratedClassLoader createClassLoader(ClassLoader parent) {
        return new DefiningClassLoader(parent) {
            @Override
            public Class<?> defineClass(String name, byte[] data) {
                return super.defineClass(name, CallDepthInstrumenter.counted(data));
            }
        };
    }

    @Override
    protected boolean hasFeature(Context context, int feature) {
        return switch (feature) {
            case Context.FEATURE_PARENT_PROTO_PROPERTIES,
                    Context.FEATURE_E4X,
                    Context.FEATURE_ENHANCED_JAVA_ACCESS,
                    Context.FEATURE_ENABLE_JAVA_MAP_ACCESS,
                    Context.FEATURE_DYNAMIC_SCOPE -> false;
            default -> super.hasFeature(context, feature);
        };
    }

    @Override
    protected void observeInstructionCount(Context context, int count) {
        ScriptMeter.observe();
    }

    private static final class SandboxContext extends Context {

        private boolean compiling;

        SandboxContext(ContextFactory factory) {
            super(factory);
        }

        @Override
        protected Object compileImpl(
                @Nullable Scriptable scope,
                String source,
                @Nullable String name,
                int line,
                @Nullable Object domain,
                boolean function,
                @Nullable Evaluator compiler,
                @Nullable ErrorReporter reporter,
                @Nullable Consumer<CompilerEnvirons> settings) {
            if (!compiling) {
                throw ScriptRuntime.constructError("EvalError", "code can't be compiled while a script runs");
            }
            return super.compileImpl(scope, source, name, line, domain, function, compiler, reporter, settings);
        }
    }
}
