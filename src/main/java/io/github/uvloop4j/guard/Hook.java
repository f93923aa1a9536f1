package io.github.uvloop4j.guard;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PRIVATE;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.classfile.ClassFile.ACC_STATIC;
import static java.lang.classfile.ClassFile.ACC_SYNTHETIC;
import static java.lang.classfile.ClassFile.ACC_VOLATILE;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.github.uvloop4j.guard.Sites.Kind;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/**
 * The class that the hooks call. It is defined into {@code java.lang}, since every class of the JDK can see it there and
 * it can see the carrier of a virtual thread. It has a hash table of the threads that are guarded, so that a thread that
 * is not finds that out by one load, and calls nobody.
 */
final class Hook {
    static final String NAME = "java.lang.UvloopGuard";
    static final String THREADS = "threads";
    static final String HANDLER = "handler";
    static final ClassDesc TYPE = ClassDesc.of(NAME);

    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final ClassDesc TABLE = THREAD.arrayType();
    private static final ClassDesc JUDGE = ClassDesc.of("java.util.function.ObjIntConsumer");
    private static final ClassDesc CHANNEL = ClassDesc.of("java.nio.channels.SelectableChannel");
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);

    private Hook() {}

    /** What a hook of a kind is called like. */
    static MethodTypeDesc type(Kind kind) {
        return switch (kind) {
            case PARK, BLOCK -> MethodTypeDesc.of(CD_void, CD_int);
            case TIMED -> MethodTypeDesc.of(CD_void, CD_long, CD_int);
            case PARK_ON, CHANNEL, BLOCK_ON -> MethodTypeDesc.of(CD_void, CD_Object, CD_int);
        };
    }

    static String method(Kind kind) {
        return switch (kind) {
            case PARK -> "park";
            case TIMED -> "timed";
            case PARK_ON -> "parkOn";
            case CHANNEL -> "channel";
            case BLOCK -> "block";
            case BLOCK_ON -> "blockOn";
        };
    }

    static byte[] bytes() {
        return ClassFile.of().build(TYPE, type -> {
            type.withFlags(ACC_PUBLIC | ACC_FINAL | ACC_SYNTHETIC);
            type.withField(THREADS, TABLE, ACC_PUBLIC | ACC_STATIC | ACC_VOLATILE);
            type.withField(HANDLER, JUDGE, ACC_PUBLIC | ACC_STATIC | ACC_VOLATILE);
            method(type, "<clinit>", NOTHING, ACC_STATIC, Hook::initialise);
            method(type, "guarded", MethodTypeDesc.of(CD_boolean, THREAD), ACC_PRIVATE | ACC_STATIC, Hook::search);
            for (var kind : Kind.values()) {
                method(type, method(kind), type(kind), ACC_PUBLIC | ACC_STATIC, code -> hook(code, kind));
            }
        });
    }

    private static void method(
            ClassBuilder type, String name, MethodTypeDesc signature, int flags, Consumer<CodeBuilder> body) {
        type.withMethodBody(name, signature, flags, body);
    }

    private static void initialise(CodeBuilder code) {
        code.iconst_1().anewarray(THREAD).putstatic(TYPE, THREADS, TABLE).return_();
    }

    /** Linear probing from the thread's number; the table always has an empty slot. */
    private static void search(CodeBuilder code) {
        var next = code.newLabel();
        var found = code.newLabel();
        var missing = code.newLabel();
        code.getstatic(TYPE, THREADS, TABLE).astore(1);
        code.aload(1).arraylength().iconst_1().isub().istore(2);
        code.aload(0).invokevirtual(THREAD, "threadId", MethodTypeDesc.of(CD_long));
        code.l2i().iload(2).iand().istore(3);
        code.labelBinding(next);
        code.aload(1).iload(3).aaload().astore(4);
        code.aload(4).aload(0).if_acmpeq(found);
        code.aload(4).ifnull(missing);
        code.iload(3).iconst_1().iadd().iload(2).iand().istore(3).goto_(next);
        code.labelBinding(found).iconst_1().ireturn();
        code.labelBinding(missing).iconst_0().ireturn();
    }

    private static void hook(CodeBuilder code, Kind kind) {
        var end = code.newLabel();
        int site = kind == Kind.TIMED ? 2 : kind == Kind.PARK || kind == Kind.BLOCK ? 0 : 1;
        if (kind == Kind.TIMED) {
            code.lload(0).lconst_0().lcmp().ifle(end);
        }
        boolean carrier = kind == Kind.BLOCK || kind == Kind.BLOCK_ON;
        code.invokestatic(THREAD, carrier ? "currentCarrierThread" : "currentThread", MethodTypeDesc.of(THREAD));
        code.invokestatic(TYPE, "guarded", MethodTypeDesc.of(CD_boolean, THREAD))
                .ifeq(end);
        if (kind == Kind.CHANNEL) {
            code.aload(0).checkcast(CHANNEL);
            code.invokevirtual(CHANNEL, "isBlocking", MethodTypeDesc.of(CD_boolean))
                    .ifeq(end);
        }
        int judge = site + 1;
        code.getstatic(TYPE, HANDLER, JUDGE)
                .astore(judge)
                .aload(judge)
                .ifnull(end)
                .aload(judge);
        if (site == 1) {
            code.aload(0);
        } else {
            code.aconst_null();
        }
        code.iload(site);
        code.invokeinterface(JUDGE, "accept", MethodTypeDesc.of(CD_void, CD_Object, CD_int));
        code.labelBinding(end).return_();
    }
}
