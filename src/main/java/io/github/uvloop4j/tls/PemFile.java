package io.github.uvloop4j.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** The blocks of a PEM file; what is between them is ignored. */
record PemFile(Path path, List<Block> blocks) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\R(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS", "DSA");

    /** What stands between BEGIN and END. */
    record Block(String label, String text) {}

    /** Throws UncheckedIOException when it cannot be read. */
    static PemFile read(Path path) {
        String text;
        try {
            text = Files.readString(path, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
        var blocks = BLOCK.matcher(text)
                .results()
                .map(found -> new Block(found.group(1), found.group(2)))
                .toList();
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("no PEM block (-----BEGIN ...) in " + path);
        }
        return new PemFile(path, blocks);
    }

    private byte[] decode(Block block) {
        try {
            return Base64.getDecoder().decode(block.text.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the block " + block.label + " in " + path + " is not base 64", e);
        }
    }

    private String labels() {
        return blocks.stream().map(Block::label).distinct().collect(Collectors.joining(", "));
    }

    /** Its certificates, at least one. */
    List<X509Certificate> certificates() {
        var certificates = new ArrayList<X509Certificate>();
        for (var block : blocks) {
            if (block.label.equals("CERTIFICATE") || block.label.equals("X509 CERTIFICATE")) {
                certificates.add(certificate(decode(block), certificates.size() + 1));
            }
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("no certificate in " + path + ", but " + labels());
        }
        return certificates;
    }

    private X509Certificate certificate(byte[] der, int number) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IllegalArgumentException("certificate " + number + " in " + path + " is broken", e);
        }
    }

    /** Its only private key. */
    PrivateKey privateKey(char @Nullable [] password) {
        var keys = blocks.stream()
                .filter(block -> block.label.endsWith("PRIVATE KEY"))
                .toList();
        if (keys.size() != 1) {
            throw new IllegalArgumentException(
                    (keys.isEmpty() ? "no private key in " : "several private keys in ") + path + ", but " + labels());
        }
        var block = keys.getFirst();
        if (block.text.contains("ENCRYPTED")) {
            throw new IllegalArgumentException(
                    "the key in " + path + " is encrypted in OpenSSL's old way: convert it with openssl pkcs8 -topk8");
        }
        var der = decode(block);
        try {
            return switch (block.label) {
                case "PRIVATE KEY" -> pkcs8(der);
                case "RSA PRIVATE KEY" -> pkcs8(Der.rsa(der));
                case "EC PRIVATE KEY" -> pkcs8(Der.ec(der));
                case "ENCRYPTED PRIVATE KEY" -> decrypt(der, password);
                default -> throw new IllegalArgumentException("unknown form: " + block.label);
            };
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the private key in " + path + " is of no use: " + e.getMessage(), e);
        }
    }

    private static PrivateKey pkcs8(byte[] der) {
        var spec = new PKCS8EncodedKeySpec(der);
        for (var algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException other) {
                // A key of another algorithm, or broken.
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
        throw new IllegalArgumentException("it is broken, or not one of " + String.join(", ", ALGORITHMS));
    }

    private static PrivateKey decrypt(byte[] der, char @Nullable [] password) {
        if (password == null) {
            throw new IllegalArgumentException("it is encrypted: a password is needed");
        }
        try {
            var info = new EncryptedPrivateKeyInfo(der);
            var parameters = info.getAlgParameters();
            // Of PBES2 only the parameters know what is used within.
            boolean second = parameters != null && parameters.getAlgorithm().equals("PBES2");
            var algorithm = second ? parameters.toString() : info.getAlgName();
            var key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password));
            var cipher = Cipher.getInstance(algorithm);
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
            return pkcs8(info.getKeySpec(cipher).getEncoded());
        } catch (InvalidKeySpecException e) {
            throw new IllegalArgumentException("it cannot be decrypted: is the password wrong?", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("it cannot be decrypted: " + e.getMessage(), e);
        }
    }
}
