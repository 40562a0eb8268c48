package dev.postern.app;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * The JDK makes the methods {@code equals}, {@code hashCode} and {@code toString} of a record when they are first called, from
 * method handles of its own, each of which (in Java 17) remembers the type that it was last adapted to: the class of a record,
 * and with it the class loader of a web app that is gone. Whoever comes next takes its place.
 */
final class RecordMethods {

    private RecordMethods() {}

    /** Has the JDK remember a class of its own instead of one of ours; to be called when no record of ours is used any more. */
    static void forgetOurs() throws Exception {
        Lookup lookup = MethodHandles.publicLookup();
        MethodHandle component = lookup.findVirtual(String.class, "strip", MethodType.methodType(String.class));
        make(lookup, "equals", MethodType.methodType(boolean.class, String.class, Object.class), component);
        make(lookup, "hashCode", MethodType.methodType(int.class, String.class), component);
        make(lookup, "toString", MethodType.methodType(String.class, String.class), component);
    }

    /** What is made is of no use, and is dropped. */
    private static void make(Lookup lookup, String method, MethodType type, MethodHandle component) throws Exception {
        try {
            var unused = ObjectMethods.bootstrap(lookup, method, type, String.class, "component", component);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
