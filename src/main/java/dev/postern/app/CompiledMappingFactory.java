package dev.postern.app;

import dev.postern.access.SignatureVerifier;
import dev.postern.config.ConfigurationResult.Rejected;
import dev.postern.config.HookSettings;
import dev.postern.config.MappingSettings;
import dev.postern.config.MappingSettings.Scheme;
import dev.postern.config.MappingSettings.Verify;
import dev.postern.config.Settings;
import dev.postern.ingress.SignedPayload;
import dev.postern.mapping.HookRegistry;
import dev.postern.mapping.HookRegistry.Compilation;
import dev.postern.mapping.script.ScriptRegistry;
import dev.postern.net.DocumentSource;
import dev.postern.observe.StartFailureReport;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A factory that makes mapped hooks and signature verifiers from their settings. */
final class CompiledMappingFactory {

    private static final System.Logger LOG = System.getLogger(CompiledMappingFactory.class.getName());

    private CompiledMappingFactory() {}

    /**
     * Compiles the mappings of {@code hooks}; warnings go to the log.
     *
     * @throws StartException if a template or script does not compile
     */
    static HookRegistry compile(HookSettings hooks, ScriptRegistry scriptRegistry) throws StartException {
        Compilation compilation = HookRegistry.compile(hooks.mappings(), hooks.withheldHeaders(), scriptRegistry);
        compilation.warnings().forEach(warning -> LOG.log(Level.WARNING, warning));
        return usable(compilation);
    }

    /**
     * The mappings of {@code compilation}.
     *
     * @throws StartException if a template or script does not compile
     */
    static HookRegistry usable(Compilation compilation) throws StartException {
        if (!compilation.problems().isEmpty()) {
            throw new StartException(StartFailureReport.ofSettings(compilation.problems()));
        }
        return compilation.mappings();
    }

    /** The problems of an invalid configuration, a line each, with those of the mappings that could be read. */
    static List<String> problems(Rejected rejected) {
        List<String> problems = new ArrayList<>();
        rejected.problems().forEach(problem -> problems.add(problem.toString()));
        rejected.readable().map(Settings::hooks).ifPresent(hooks -> {
            try (ScriptRegistry scriptRegistry =
                    new ScriptRegistry(hooks.transformsRoot(), "postern-refused", InstantSource.system())) {
                problems.addAll(HookRegistry.compile(hooks.mappings(), hooks.withheldHeaders(), scriptRegistry)
                        .problems());
            }
        });
        return problems;
    }

    /** The hooks that take compressed bodies. */
    static Set<String> gzipHooks(HookSettings hooks) {
        return hooks.mappings().stream()
                .filter(mapping -> mapping.payload().body().gzip())
                .flatMap(mapping -> Stream.ofNullable(mapping.match().path()))
                .collect(Collectors.toSet());
    }

    /**
     * The verifiers of the signatures that authenticate requests, by hook.
     *
     * @param documents the documents at the addresses that signed messages name
     */
    static Map<String, SignatureVerifier> signatures(HookSettings hooks, InstantSource time, DocumentSource documents) {
        Map<String, SignatureVerifier> signatures = new LinkedHashMap<>();
        for (MappingSettings mapping : hooks.mappings()) {
            @Nullable String path = mapping.match().path();
            @Nullable Verify verify = mapping.verify();
            if (verify != null && path != null) {
                SignatureVerifier verifier = verify.scheme() == Scheme.SNS
                        ? SignatureVerifier.ofSns(verify, time, SignedPayload::texts, documents)
                        : SignatureVerifier.of(verify, time, SignedPayload::time);
                signatures.putIfAbsent(path, verifier);
            }
        }
        return signatures;
    }
}
