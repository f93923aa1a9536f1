package io.github.uvloop4j.util;

import java.net.IDN;

/** Names of hosts as they go to a resolver: ASCII, and no longer than the system of domain names allows. */
public final class HostNames {
    private static final int LONGEST = 253;

    private HostNames() {}

    /**
     * The name in ASCII: what is beyond it is encoded by {@link IDN}, strictly. Any thread.
     *
     * @throws IllegalArgumentException when the name is empty, is longer than 253 characters in ASCII (a dot at the end
     *     not counted), holds a control character or a blank, or cannot be encoded
     */
    public static String ascii(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an empty host name");
        }
        var ascii = isAscii(name) ? name : encode(name);
        int length = ascii.endsWith(".") ? ascii.length() - 1 : ascii.length();
        if (length > LONGEST) {
            throw new IllegalArgumentException(
                    "a host name has at most " + LONGEST + " characters, this one " + length + ": " + shortened(name));
        }
        return ascii;
    }

    private static boolean isAscii(String name) {
        boolean ascii = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                throw new IllegalArgumentException(
                        "a host name has no character of code " + (int) c + ", this one has it at index " + i);
            }
            ascii &= c < 0x80;
        }
        return ascii;
    }

    private static String encode(String name) {
        try {
            return IDN.toASCII(name, IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    "not an internationalised host name: " + shortened(name) + " (" + refused.getMessage() + ')',
                    refused);
        }
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "...";
    }
}
