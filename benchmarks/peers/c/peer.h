/* What every C echo server here shares: its address option, its first line, and its end with the harness. */
#ifndef PEER_H
#define PEER_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PEER_BACKLOG 1024
/* A message of 100 KiB goes through in one piece; 64 KiB, which libuv suggests, costs more CPU there. */
#define PEER_BUFFER (256 * 1024)
/* A client that never reads must not grow this process without bound. */
#define PEER_HIGH_WATER (1024 * 1024)

static inline void peer_die(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(2);
}

/* Reads HOST:PORT, [HOST]:PORT for IPv6. Only loopback: a benchmark opens no port to other machines. */
static inline struct sockaddr_storage peer_address(const char *text) {
  struct sockaddr_storage storage;
  char host[64];
  char *end;
  const char *colon = strrchr(text, ':');
  size_t length = colon == NULL ? sizeof host : (size_t) (colon - text);
  if (length >= sizeof host) peer_die(text, "expected HOST:PORT");
  memcpy(host, text, length);
  host[length] = '\0';
  if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
    memmove(host, host + 1, length - 2);
    host[length - 2] = '\0';
  }
  long port = strtol(colon + 1, &end, 10);
  if (colon[1] == '\0' || *end != '\0' || port < 0 || port > 65535) peer_die(text, "the port must be 0 to 65535");
  if (strcmp(host, "localhost") == 0) strcpy(host, "127.0.0.1");
  memset(&storage, 0, sizeof storage);
  struct sockaddr_in *v4 = (struct sockaddr_in *) &storage;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *) &storage;
  if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
    if (ntohl(v4->sin_addr.s_addr) >> 24 != 127) peer_die(text, "only loopback addresses are served");
    v4->sin_family = AF_INET;
    v4->sin_port = htons((unsigned short) port);
  } else if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
    if (!IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr)) peer_die(text, "only loopback addresses are served");
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons((unsigned short) port);
  } else {
    peer_die(text, "expected a numeric address or localhost");
  }
  return storage;
}

static inline socklen_t peer_address_length(const struct sockaddr_storage *address) {
  return address->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

/* Returns the address of --addr, after handling --version. */
static inline struct sockaddr_storage peer_options(int argc, char **argv, const char *version) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    puts(version);
    exit(0);
  }
  if (argc != 3 || strcmp(argv[1], "--addr") != 0) peer_die(argv[0], "usage: --addr HOST:PORT | --version");
  return peer_address(argv[2]);
}

static inline void peer_announce(int listener) {
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  char host[INET6_ADDRSTRLEN];
  if (getsockname(listener, (struct sockaddr *) &bound, &length) != 0) peer_die("getsockname", "failed");
  if (bound.ss_family == AF_INET) {
    struct sockaddr_in *v4 = (struct sockaddr_in *) &bound;
    inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host);
    printf("listening on %s:%d\n", host, ntohs(v4->sin_port));
  } else {
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *) &bound;
    inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host);
    printf("listening on [%s]:%d\n", host, ntohs(v6->sin6_port));
  }
  fflush(stdout);
}

static inline void *peer_stdin_thread(void *unused) {
  char ignored[256];
  (void) unused;
  while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) {
  }
  _exit(0);
}

/* A thread of its own, so that the measured loop has no descriptor more than its sockets. */
static inline void peer_end_with_stdin(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, peer_stdin_thread, NULL) != 0) peer_die("pthread_create", "failed");
  pthread_detach(thread);
}

#endif
