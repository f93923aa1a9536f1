package io.github.uvloop4j.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A private key and the chain of certificates that says whose it is, the owner's first. */
record Identity(PrivateKey key, List<X509Certificate> chain) {
    /** Reads PEM files, which may be the same one. */
    static Identity read(Path chainPem, Path keyPem, char @Nullable [] password) {
        var chain = PemFile.read(chainPem).certificates();
        var key = PemFile.read(keyPem).privateKey(password);
        if (!belong(key, chain.getFirst().getPublicKey())) {
            throw new IllegalArgumentException("the key in " + keyPem + " does not belong to the first certificate in "
                    + chainPem + ", of " + chain.getFirst().getSubjectX500Principal());
        }
        return new Identity(key, chain);
    }

    private static boolean belong(PrivateKey key, PublicKey certified) {
        var algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            case "DSA" -> "SHA256withDSA";
            default -> key.getAlgorithm();
        };
        try {
            var signature = Signature.getInstance(algorithm);
            if (algorithm.equals("RSASSA-PSS")) {
                return true;
            }
            var sample = "sample".getBytes(StandardCharsets.US_ASCII);
            signature.initSign(key);
            signature.update(sample);
            var signed = signature.sign();
            signature.initVerify(certified);
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException different) {
            return false;
        }
    }
}
