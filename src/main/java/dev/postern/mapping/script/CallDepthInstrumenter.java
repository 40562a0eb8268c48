package dev.postern.mapping.script;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * An instrumenter of methods. It makes each tell the {@link ScriptMeter} when it begins and when it ends, by return or by
 * exception.
 */
public final class CallDepthInstrumenter extends MethodVisitor {

    private static final String METER = Type.getInternalName(ScriptMeter.class);
    private static final int UNIT_BYTES = 512;
    private static final int SLOT_BYTES = 8;

    private final int units;
    private final Label start = new Label();
    private final Label end = new Label();

    CallDepthInstrumenter(MethodVisitor next, int units) {
        super(Opcodes.ASM9, next);
        this.units = units;
    }

    /** Instruments a class that Rhino has made of a script. Each method counts by the size of its frame. */
    public static byte[] counted(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        Map<String, Integer> units = units(reader);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        ClassVisitor counting = new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVisitor plain = super.visitMethod(access, name, descriptor, signature, exceptions);
                boolean isCode = !name.startsWith("<") && (access & Opcodes.ACC_ABSTRACT) == 0;
                return isCode ? new CallDepthInstrumenter(plain, units.getOrDefault(name + descriptor, 1)) : plain;
            }
        };
        try {
            reader.accept(counting, 0);
            return writer.toByteArray();
        } catch (MethodTooLargeException e) {
            // Its callers are counted, and each call of a method of that size takes long anyway.
            return classFile;
        }
    }

    private static Map<String, Integer> units(ClassReader reader) {
        Map<String, Integer> units = new HashMap<>();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return new MethodVisitor(Opcodes.ASM9) {
                            @Override
                            public void visitMaxs(int stack, int locals) {
                                units.put(name + descriptor, 1 + (stack + locals) * SLOT_BYTES / UNIT_BYTES);
                            }
                        };
                    }
                },
                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return units;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        callMeter("enter");
        super.visitLabel(start);
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            callMeter("leave");
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
        super.visitTryCatchBlock(start, end, end, null);
        super.visitLabel(end);
        super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
        callMeter("leave");
        super.visitInsn(Opcodes.ATHROW);
        super.visitMaxs(stack, locals);
    }

    private void callMeter(String what) {
        super.visitLdcInsn(units);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, METER, what, "(I)V", false);
    }
}
