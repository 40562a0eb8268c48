package dev.postern.mapping.script;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A transformer that puts calls of the {@link ScriptMeter} into Rhino's classes. It adds a tick to every loop and to every
 * method that can be called back, and a limit before each allocation that a number sizes. It replaces the few JDK methods
 * of which one call can take too much. Methods that can call each other in a circle are counted by depth, see
 * {@link CallDepthInstrumenter}.
 *
 * <p>Static initializers are left as they are, because a class whose initializer was ended is lost.
 */
final class MeteringTransformer extends ClassVisitor {

    private static final String METER = Type.getInternalName(ScriptMeter.class);
    private static final String TEXT = Type.getInternalName(MeteredStringMethods.class);
    private static final String LAZY_STRING = "org/mozilla/javascript/ConsString";
    private static final String DESCRIPTOR = "org/mozilla/javascript/JSDescriptor";
    private static final String NAMES = METER.replace("ScriptMeter", "rhino/NestedFunctionNames");
    private static final String ERROR_PROTOTYPE = METER.replace("ScriptMeter", "rhino/ErrorPrototype");
    private static final String DATE_TEXT = METER.replace("ScriptMeter", "rhino/DateTextRewriter");
    private static final Set<String> SIZED =
            Set.of("java/lang/StringBuilder", "java/util/ArrayList", "java/util/HashMap", "java/util/ArrayDeque");

    /** The JDK methods, by class, that {@link MeteredStringMethods} replaces. */
    private static final Map<String, Set<String>> REPLACED = Map.of(
            "java/lang/String",
            Set.of(
                    "repeat(I)Ljava/lang/String;",
                    "indexOf(Ljava/lang/String;)I",
                    "indexOf(Ljava/lang/String;I)I",
                    "lastIndexOf(Ljava/lang/String;)I",
                    "lastIndexOf(Ljava/lang/String;I)I",
                    "contains(Ljava/lang/CharSequence;)Z",
                    "compareTo(Ljava/lang/String;)I",
                    "toUpperCase(Ljava/util/Locale;)Ljava/lang/String;",
                    "toLowerCase(Ljava/util/Locale;)Ljava/lang/String;"),
            "java/lang/StringBuilder",
            Set.of(
                    "append(Ljava/lang/String;)Ljava/lang/StringBuilder;",
                    "append(Ljava/lang/CharSequence;)Ljava/lang/StringBuilder;",
                    "append(Ljava/lang/CharSequence;II)Ljava/lang/StringBuilder;"),
            "java/lang/Class",
            Set.of("getName()Ljava/lang/String;", "getSimpleName()Ljava/lang/String;"),
            "java/util/Locale",
            Set.of("forLanguageTag(Ljava/lang/String;)Ljava/util/Locale;"),
            "java/text/Collator",
            Set.of("compare(Ljava/lang/String;Ljava/lang/String;)I"),
            "java/text/Normalizer",
            Set.of("normalize(Ljava/lang/CharSequence;Ljava/text/Normalizer$Form;)Ljava/lang/String;"));

    /** The methods by which a built-in, or the JDK on its behalf, calls back. */
    private static final Set<String> CALLED_BACK = Set.of("call", "construct", "compare");

    /** The methods of which each circle of calls within Rhino contains at least one. */
    private static final Set<String> RECURSIVE =
            Set.of("call", "construct", "flat", "readValue", "str", "parseDisjunction", "emitREBytecode");

    private String owner = "";

    private MeteringTransformer(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /** Meters a class file. */
    static byte[] metered(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new MeteringTransformer(writer), 0);
        return writer.toByteArray();
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        owner = name;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor plain = super.visitMethod(access, name, descriptor, signature, exceptions);
        if (name.equals("<clinit>")) {
            return plain;
        }
        return new Body(RECURSIVE.contains(name) ? new CallDepthInstrumenter(plain, 1) : plain, owner, name);
    }

    private static final class Body extends MethodVisitor {

        private final String owner;
        private final String name;
        private final Set<Label> passed = new HashSet<>();

        Body(MethodVisitor next, String owner, String name) {
            super(Opcodes.ASM9, next);
            this.owner = owner;
            this.name = name;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (name.startsWith("lambda$") || CALLED_BACK.contains(name)) {
                call("tick", "()V");
            }
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (passed.contains(label)) {
                call("tick", "()V");
            }
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
            tickIfAnyPassed(otherwise, labels);
            super.visitTableSwitchInsn(min, max, otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            tickIfAnyPassed(otherwise, labels);
            super.visitLookupSwitchInsn(otherwise, keys, labels);
        }

        private void tickIfAnyPassed(Label otherwise, Label[] labels) {
            if (passed.contains(otherwise) || Arrays.stream(labels).anyMatch(passed::contains)) {
                call("tick", "()V");
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                limit();
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.ANEWARRAY) {
                limit();
            }
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String on, String method, String descriptor, boolean isInterface) {
            if (REPLACED.getOrDefault(on, Set.of()).contains(method + descriptor)) {
                boolean onItself = opcode != Opcodes.INVOKESTATIC;
                String called = onItself ? descriptor.replace("(", "(L" + on + ";") : descriptor;
                super.visitMethodInsn(Opcodes.INVOKESTATIC, TEXT, method, called, false);
            } else if (on.equals("java/lang/System") && method.equals("currentTimeMillis")) {
                call(method, descriptor);
            } else if (on.equals(DESCRIPTOR) && method.equals("hasFunctionNamed")) {
                String called = descriptor.replace("(", "(L" + DESCRIPTOR + ";");
                super.visitMethodInsn(Opcodes.INVOKESTATIC, NAMES, method, called, false);
            } else if (name.equals("getStackDelegated") && method.equals("getPrototype")) {
                String called = descriptor.replace("(", "(Lorg/mozilla/javascript/Scriptable;");
                super.visitMethodInsn(Opcodes.INVOKESTATIC, ERROR_PROTOTYPE, "of", called, false);
            } else {
                if (isSized(on, method, descriptor)) {
                    limit();
                } else if (method.equals("getStackTrace")) {
                    call("trace", "()V");
                } else if (method.equals("date_parseString")) {
                    // The text is its last argument.
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC, DATE_TEXT, "iso", "(Ljava/lang/String;)Ljava/lang/String;", false);
                }
                super.visitMethodInsn(opcode, on, method, descriptor, isInterface);
            }
        }

        private static boolean isSized(String on, String method, String descriptor) {
            boolean made = SIZED.contains(on) && method.equals("<init>") && descriptor.equals("(I)V");
            boolean copied = on.equals("java/util/Arrays") && method.equals("copyOf") && descriptor.contains("I)");
            return made || copied;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN && name.equals("call")) {
                super.visitInsn(Opcodes.DUP);
                call("result", "(Ljava/lang/Object;)V");
            } else if (opcode == Opcodes.RETURN && owner.equals(LAZY_STRING) && name.equals("<init>")) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitFieldInsn(Opcodes.GETFIELD, LAZY_STRING, "length", "I");
                call("text", "(I)V");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitLdcInsn(Object value) {
            // Rhino's Promise.allSettled misspells it.
            super.visitLdcInsn(value.equals(" rejected") ? "rejected" : value);
        }

        private void limit() {
            super.visitInsn(Opcodes.DUP);
            call("room", "(I)V");
        }

        private void call(String method, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, METER, method, descriptor, false);
        }
    }
}
