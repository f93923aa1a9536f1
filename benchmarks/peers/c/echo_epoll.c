/* Echo on level-triggered epoll: recv and send directly; only what the socket refuses is copied. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

#include "peer.h"

#define EVENTS 1024

typedef struct {
  int descriptor;
  char *rest;
  size_t offset;
  size_t length;
  size_t capacity;
} connection_t;

static char receive_buffer[PEER_BUFFER];
static int epoll_descriptor;
static int over_tcp;

static int check(int result, const char *what) {
  if (result < 0) peer_die(what, strerror(errno));
  return result;
}

static void close_connection(connection_t *connection) {
  close(connection->descriptor);
  free(connection->rest);
  free(connection);
}

static void want(connection_t *connection, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = connection};
  check(epoll_ctl(epoll_descriptor, EPOLL_CTL_MOD, connection->descriptor, &event), "epoll_ctl");
}

/* While bytes are kept, the connection waits for room only: the kernel's buffers hold back a client that never reads. */
static void keep_rest(connection_t *connection, const char *bytes, size_t count) {
  if (connection->capacity < count) {
    free(connection->rest);
    connection->rest = malloc(count);
    if (connection->rest == NULL) peer_die("malloc", "out of memory");
    connection->capacity = count;
  }
  memcpy(connection->rest, bytes, count);
  connection->offset = 0;
  connection->length = count;
  want(connection, EPOLLOUT);
}

static void on_readable(connection_t *connection) {
  ssize_t received = recv(connection->descriptor, receive_buffer, sizeof receive_buffer, 0);
  if (received <= 0) {
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) return;
    close_connection(connection);
    return;
  }
  ssize_t sent = send(connection->descriptor, receive_buffer, (size_t) received, MSG_NOSIGNAL);
  if (sent == received) return;
  if (sent < 0) {
    if (errno != EAGAIN && errno != EINTR) {
      close_connection(connection);
      return;
    }
    sent = 0;
  }
  keep_rest(connection, receive_buffer + sent, (size_t) (received - sent));
}

static void on_writable(connection_t *connection) {
  ssize_t sent = send(connection->descriptor, connection->rest + connection->offset,
                      connection->length - connection->offset, MSG_NOSIGNAL);
  if (sent < 0) {
    if (errno != EAGAIN && errno != EINTR) close_connection(connection);
    return;
  }
  connection->offset += (size_t) sent;
  if (connection->offset == connection->length) want(connection, EPOLLIN);
}

static void on_connection(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) {
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
    peer_die("accept", strerror(errno));
  }
  int on = 1;
  if (over_tcp) check(setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
  connection_t *connection = calloc(1, sizeof *connection);
  if (connection == NULL) peer_die("calloc", "out of memory");
  connection->descriptor = descriptor;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  check(epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

int main(int argc, char **argv) {
  char version[64];
  snprintf(version, sizeof version, "glibc %s", gnu_get_libc_version());
  peer_address_t address = peer_options(argc, argv, version);
  over_tcp = address.any.sa_family != AF_UNIX;
  int on = 1;
  int listener = check(socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket");
  check(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), "SO_REUSEADDR");
  check(bind(listener, &address.any, peer_address_length(&address)), "bind");
  check(listen(listener, PEER_BACKLOG), "listen");
  epoll_descriptor = check(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  struct epoll_event listening = {.events = EPOLLIN, .data.ptr = NULL};
  check(epoll_ctl(epoll_descriptor, EPOLL_CTL_ADD, listener, &listening), "epoll_ctl");
  peer_end_with_stdin();
  peer_announce(listener);
  struct epoll_event events[EVENTS];
  for (;;) {
    int count = epoll_wait(epoll_descriptor, events, EVENTS, -1);
    if (count < 0 && errno != EINTR) peer_die("epoll_wait", strerror(errno));
    for (int i = 0; i < count; i++) {
      connection_t *connection = events[i].data.ptr;
      if (connection == NULL) {
        on_connection(listener);
      } else if (connection->length > connection->offset) {
        on_writable(connection);
      } else {
        on_readable(connection);
      }
    }
  }
}
