package dev.postern.mapping.script.rhino;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import jdk.dynalink.CallSiteDescriptor;
import jdk.dynalink.DynamicLinker;
import jdk.dynalink.DynamicLinkerFactory;
import jdk.dynalink.Operation;
import jdk.dynalink.linker.GuardedInvocation;
import jdk.dynalink.linker.GuardingDynamicLinker;
import jdk.dynalink.linker.LinkRequest;
import jdk.dynalink.linker.LinkerServices;
import jdk.dynalink.linker.TypeBasedGuardingDynamicLinker;
import jdk.dynalink.support.ChainedCallSite;
import org.jspecify.annotations.Nullable;
import org.mozilla.classfile.ClassFileWriter;
import org.mozilla.javascript.optimizer.Bootstrapper;

/*
 * Rhino's own Bootstrapper hands its linkers to the JDK's CompositeTypeBasedGuardingDynamicLinker. That notes at each class
 * that it meets, String above all, which linker can link it. It uses a ClassValue whose value refers back to the ClassValue
 * itself, and is therefore never released. This would keep Rhino's class loader, which is the web application's, until the
 * process ends. Called one by one, the linkers do the same, and nothing is noted. A call site asks only until it is linked.
 */
/**
 * A linker of the operations of compiled scripts. It links as Rhino does, but leaves nothing behind in the JDK's classes.
 */
public final class OperationLinker {

    private static final String RHINO = Bootstrapper.class.getPackageName() + '.';

    /** The names of Rhino's linkers, in the order of Rhino 1.9.2. */
    private static final List<String> LINKERS = List.of(
            "ConstAwareLinker",
            "BooleanLinker",
            "IntegerLinker",
            "DoubleLinker",
            "StringLinker",
            "ConsStringLinker",
            "NativeArrayLinker",
            "BaseFunctionLinker");

    private static final Method PARSE;
    private static final DynamicLinker LINKER;

    static {
        try {
            PARSE = Bootstrapper.class.getDeclaredMethod("parseOperation", String.class);
            PARSE.setAccessible(true);
            List<TypeBasedGuardingDynamicLinker> linkers = new ArrayList<>();
            for (String name : LINKERS) {
                linkers.add(make(name, TypeBasedGuardingDynamicLinker.class));
            }
            DynamicLinkerFactory factory = new DynamicLinkerFactory();
            factory.setPrioritizedLinkers(
                    (request, services) -> link(linkers, request, services),
                    make("DefaultLinker", GuardingDynamicLinker.class));
            LINKER = factory.createLinker();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another Rhino than the one that this was written for", e);
        }
    }

    private OperationLinker() {}

    /** Makes scripts that are compiled from now on call {@link #bootstrap}. */
    static void install() {
        try {
            Field owner = ClassFileWriter.MHandle.class.getDeclaredField("owner");
            owner.setAccessible(true);
            owner.set(Bootstrapper.BOOTSTRAP_HANDLE, OperationLinker.class.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another Rhino than the one that this was written for", e);
        }
    }

    /** Links an operation of a compiled script. The JVM calls it for each, in place of {@link Bootstrapper#bootstrap}. */
    public static CallSite bootstrap(Lookup lookup, String name, MethodType type) throws ReflectiveOperationException {
        Operation operation = (Operation) PARSE.invoke(null, name);
        return LINKER.link(new ChainedCallSite(new CallSiteDescriptor(lookup, operation, type)));
    }

    private static @Nullable GuardedInvocation link(
            List<TypeBasedGuardingDynamicLinker> linkers, LinkRequest request, LinkerServices services)
            throws Exception {
        Object receiver = request.getReceiver();
        if (receiver == null) {
            return null;
        }
        for (TypeBasedGuardingDynamicLinker each : linkers) {
            GuardedInvocation linked =
                    each.canLinkType(receiver.getClass()) ? each.getGuardedInvocation(request, services) : null;
            if (linked != null) {
                return linked;
            }
        }
        return null;
    }

    private static <T> T make(String name, Class<T> type) throws ReflectiveOperationException {
        Constructor<? extends T> constructor =
                Class.forName(RHINO + name).asSubclass(type).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
