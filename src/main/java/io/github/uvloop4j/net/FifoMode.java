package io.github.uvloop4j.net;

/** What a FIFO is opened for. */
public enum FifoMode {
    /** To read, which needs no writer yet. When the last of the writers has closed, the stream is at its end. */
    READ,
    /** To write, which needs a reader. */
    WRITE,
    /** Both, so that neither end of file nor a missing reader is ever seen. */
    READ_WRITE
}
