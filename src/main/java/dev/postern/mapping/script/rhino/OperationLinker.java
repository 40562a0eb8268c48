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
 * Rhino's own Bootstrapper hands its linkers to the JDK's CompositeTypeBasedGuardingDynamicLinker, which notes at each class
 * that it meets, String above all, which of them can link it: a ClassValue, whose value leads back to the ClassValue itself
 * and so is never let go of. It would keep Rhino's class loader, which is the web app's, as long as the process lives. Asked one
 * by one, the linkers do the same without being noted anywhere; a call site asks only until it is linked.
 */
/** Links the operations of compiled scripts as Rhino does, and leaves nothing behind with the JDK's classes. */
public final class OperationLinker {

    private static final String RHINO = Bootstrapper.class.getPackageName() + '.';

    /** As Rhino 1.9.2 orders them. */
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

    /** Has scripts that are compiled from now on call {@link #bootstrap}. */
    static void install() {
        try {
            Field owner = ClassFileWriter.MHandle.class.getDeclaredField("owner");
            owner.setAccessible(true);
            owner.set(Bootstrapper.BOOTSTRAP_HANDLE, OperationLinker.class.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another Rhino than the one that this was written for", e);
        }
    }

    /** Called by the JVM for each operation of a compiled script, as {@link Bootstrapper#bootstrap} is. */
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
