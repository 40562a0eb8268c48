package dev.postern.mapping.script.rhino;

import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Set;
import org.mozilla.javascript.JSDescriptor;

/**
 * The names of the functions that are declared directly in a function. Each call of a function asks for each of its variables
 * whether a function has its name, and Rhino looks through all of them each time. The TypeScript compiler has a function with
 * thousands of both, which every translation calls.
 */
public final class NestedFunctionNames {

    /** The most functions that are looked through one by one. Ordinary scripts have fewer, and need no set. */
    private static final int FEW = 64;

    /** The names of the last function with many. A call asks for all its variables in a row. */
    private static volatile Last last = new Last(new WeakReference<>(null), Set.of());

    private NestedFunctionNames() {}

    private record Last(WeakReference<JSDescriptor<?>> descriptor, Set<String> names) {}

    /**
     * Gives what {@link JSDescriptor#hasFunctionNamed} gives, against its name: false if a function with this name is declared
     * in the function, else true.
     */
    public static boolean hasFunctionNamed(JSDescriptor<?> descriptor, String name) {
        if (descriptor.getFunctionCount() <= FEW) {
            return descriptor.hasFunctionNamed(name);
        }
        Last known = last;
        if (known.descriptor().get() != descriptor) {
            known = new Last(new WeakReference<>(descriptor), names(descriptor));
            last = known;
        }
        return !known.names().contains(name);
    }

    private static Set<String> names(JSDescriptor<?> descriptor) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < descriptor.getFunctionCount(); i++) {
            JSDescriptor<?> function = descriptor.getFunction(i);
            if (!function.declaredAsFunctionExpression()) {
                names.add(function.getFunctionName());
            }
        }
        return names;
    }
}
