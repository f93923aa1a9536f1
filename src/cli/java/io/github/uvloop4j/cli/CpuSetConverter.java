package io.github.uvloop4j.cli;

import io.github.uvloop4j.affinity.CpuSet;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads CPUs such as {@code 0-3,8}, at least one, with a message for the person who typed them. */
final class CpuSetConverter implements ITypeConverter<CpuSet> {
    @Override
    public CpuSet convert(String text) {
        try {
            var cpus = CpuSet.parse(text);
            if (cpus.isEmpty()) {
                throw new TypeConversionException("no CPUs: give some, such as 0-3,8");
            }
            return cpus;
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
