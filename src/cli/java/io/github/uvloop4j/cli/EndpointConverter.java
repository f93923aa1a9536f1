package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.Endpoint;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code HOST:PORT} or {@code unix:PATH}, with a message for the person who typed it. */
final class EndpointConverter implements ITypeConverter<Endpoint> {
    @Override
    public Endpoint convert(String text) {
        try {
            var endpoint = Endpoint.parse(text);
            endpoint.resolve();
            return endpoint;
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
