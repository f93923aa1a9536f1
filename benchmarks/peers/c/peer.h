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
#include <sys/un.h>
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

#define PEER_UNIX "unix:"

typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un local;
  struct sockaddr_storage room;
} peer_address_t;

static inline void peer_path(peer_address_t *address, const char *path) {
  if (*path == '\0' || strlen(path) >= sizeof address->local.sun_path) peer_die(path, "no path, or a long one");
  address->local.sun_family = AF_UNIX;
  strcpy(address->local.sun_path, path);
}

/* Reads unix:PATH, HOST:PORT, [HOST]:PORT for IPv6. Only loopback: a benchmark opens no port to other machines. */
static inline peer_address_t peer_address(const char *text) {
  peer_address_t address;
  char host[64];
  char *end;
  memset(&address, 0, sizeof address);
  if (strncmp(text, PEER_UNIX, strlen(PEER_UNIX)) == 0) {
    peer_path(&address, text + strlen(PEER_UNIX));
    return address;
  }
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
  if (inet_pton(AF_INET, host, &address.v4.sin_addr) == 1) {
    if (ntohl(address.v4.sin_addr.s_addr) >> 24 != 127) peer_die(text, "only loopback addresses are served");
    address.v4.sin_family = AF_INET;
    address.v4.sin_port = htons((unsigned short) port);
  } else if (inet_pton(AF_INET6, host, &address.v6.sin6_addr) == 1) {
    if (!IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr)) peer_die(text, "only loopback addresses are served");
    address.v6.sin6_family = AF_INET6;
    address.v6.sin6_port = htons((unsigned short) port);
  } else {
    peer_die(text, "expected a numeric address or localhost");
  }
  return address;
}

static inline socklen_t peer_address_length(const peer_address_t *address) {
  return address->any.sa_family == AF_INET    ? sizeof address->v4
         : address->any.sa_family == AF_INET6 ? sizeof address->v6
                                              : sizeof address->local;
}

/* Returns the address of --addr, after handling --version. */
static inline peer_address_t peer_options(int argc, char **argv, const char *version) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    puts(version);
    exit(0);
  }
  if (argc != 3 || strcmp(argv[1], "--addr") != 0) peer_die(argv[0], "usage: --addr HOST:PORT|unix:PATH | --version");
  return peer_address(argv[2]);
}

static inline void peer_announce(int listener) {
  peer_address_t bound;
  socklen_t length = sizeof bound;
  char host[INET6_ADDRSTRLEN];
  memset(&bound, 0, sizeof bound);
  if (getsockname(listener, &bound.any, &length) != 0) peer_die("getsockname", "failed");
  if (bound.any.sa_family == AF_UNIX) {
    printf("listening on " PEER_UNIX "%s\n", bound.local.sun_path);
  } else if (bound.any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &bound.v4.sin_addr, host, sizeof host);
    printf("listening on %s:%d\n", host, ntohs(bound.v4.sin_port));
  } else {
    inet_ntop(AF_INET6, &bound.v6.sin6_addr, host, sizeof host);
    printf("listening on [%s]:%d\n", host, ntohs(bound.v6.sin6_port));
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
