package io.github.uvloop4j.guard;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The instructions of each method of a class, spelled out: two classes may differ in their constant pools only. */
final class Streams {
    private Streams() {}

    /** By name and descriptor of the method. */
    static Map<String, List<String>> of(byte[] classFile) {
        var streams = new TreeMap<String, List<String>>();
        for (var method : ClassFile.of().parse(classFile).methods()) {
            var name = method.methodName().stringValue() + method.methodType().stringValue();
            streams.put(name, method.code().map(Streams::of).orElse(List.of("no code")));
        }
        return streams;
    }

    private static List<String> of(CodeModel code) {
        var lines = new ArrayList<String>();
        var labels = (CodeAttribute) code;
        for (var element : code) {
            if (element instanceof Instruction || element instanceof ExceptionCatch) {
                lines.add(line(element, labels));
            }
        }
        return lines;
    }

    private static String line(CodeElement element, CodeAttribute code) {
        if (element instanceof ExceptionCatch handler) {
            return "catch " + handler.catchType() + at(code, handler.tryStart()) + at(code, handler.tryEnd())
                    + at(code, handler.handler());
        }
        var instruction = (Instruction) element;
        return instruction.opcode() + " "
                + switch (instruction) {
                    case BranchInstruction branch -> at(code, branch.target());
                    case ConstantInstruction constant -> String.valueOf(constant.constantValue());
                    case FieldInstruction field -> field.owner().asInternalName() + "." + field.name() + field.type();
                    case InvokeInstruction invoke ->
                        invoke.owner().asInternalName() + "." + invoke.name() + invoke.type();
                    case InvokeDynamicInstruction dynamic ->
                        dynamic.name() + " " + dynamic.type() + dynamic.bootstrapMethod() + dynamic.bootstrapArgs();
                    case LoadInstruction load -> String.valueOf(load.slot());
                    case StoreInstruction store -> String.valueOf(store.slot());
                    case IncrementInstruction increment -> increment.slot() + " " + increment.constant();
                    case TypeCheckInstruction check -> check.type().asInternalName();
                    case NewObjectInstruction made -> made.className().asInternalName();
                    case NewPrimitiveArrayInstruction made -> made.typeKind().toString();
                    case NewReferenceArrayInstruction made ->
                        made.componentType().asInternalName();
                    case NewMultiArrayInstruction made -> made.arrayType().asInternalName() + made.dimensions();
                    case TableSwitchInstruction table -> at(code, table.defaultTarget()) + cases(code, table.cases());
                    case LookupSwitchInstruction lookup ->
                        at(code, lookup.defaultTarget()) + cases(code, lookup.cases());
                    default -> "";
                };
    }

    private static String cases(CodeAttribute code, List<SwitchCase> cases) {
        var text = new StringBuilder();
        cases.forEach(each -> text.append(' ').append(each.caseValue()).append(at(code, each.target())));
        return text.toString();
    }

    private static String at(CodeAttribute code, Label label) {
        return " @" + code.labelToBci(label);
    }
}
