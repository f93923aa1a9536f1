/* Echo of datagrams on libuv: sent back from the receive callback; --batch receives several with one system call. */
#include <uv.h>

#include "peer.h"

#define LARGEST (64 * 1024)
#define BATCH 8

typedef struct {
  uv_udp_send_t request;
  char bytes[];
} rest_t;

static char receive_buffer[BATCH * LARGEST];
static size_t receive_size = LARGEST;

static void check(int status, const char *what) {
  if (status < 0) peer_die(what, uv_strerror(status));
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void) handle;
  (void) suggested;
  buf->base = receive_buffer;
  buf->len = receive_size;
}

static void on_rest_sent(uv_udp_send_t *request, int status) {
  (void) status;
  free(request);
}

static void send_later(uv_udp_t *socket, const char *bytes, size_t count, const struct sockaddr *to) {
  rest_t *rest = malloc(sizeof *rest + count);
  if (rest == NULL) peer_die("malloc", "out of memory");
  memcpy(rest->bytes, bytes, count);
  uv_buf_t buf = uv_buf_init(rest->bytes, (unsigned) count);
  if (uv_udp_send(&rest->request, socket, &buf, 1, to, on_rest_sent) < 0) free(rest);
}

static void on_receive(uv_udp_t *socket, ssize_t count, const uv_buf_t *buf, const struct sockaddr *from, unsigned flags) {
  (void) flags;
  if (count < 0) check((int) count, "receive");
  if (from == NULL) return;
  uv_buf_t out = uv_buf_init(buf->base, (unsigned) count);
  if (uv_udp_try_send(socket, &out, 1, from) == UV_EAGAIN) send_later(socket, buf->base, (size_t) count, from);
}

int main(int argc, char **argv) {
  char version[64];
  unsigned flags = AF_UNSPEC;
  snprintf(version, sizeof version, "libuv %s", uv_version_string());
  if (argc > 1 && strcmp(argv[1], "--batch") == 0) {
    flags = UV_UDP_RECVMMSG;
    receive_size = sizeof receive_buffer;
    argc--;
    argv++;
  }
  peer_address_t address = peer_options(argc, argv, version);
  if (address.any.sa_family == AF_UNIX) peer_die(argv[2], "only internet addresses");
  if (uv_version() != UV_VERSION_HEX) peer_die("libuv", "the library loaded is not the one compiled against");
  uv_loop_t *loop = uv_default_loop();
  uv_udp_t socket;
  uv_os_fd_t descriptor;
  check(uv_udp_init_ex(loop, &socket, flags), "uv_udp_init_ex");
  check(uv_udp_bind(&socket, &address.any, 0), "bind");
  check(uv_udp_recv_start(&socket, on_alloc, on_receive), "uv_udp_recv_start");
  check(uv_fileno((uv_handle_t *) &socket, &descriptor), "uv_fileno");
  peer_end_with_stdin();
  peer_announce(descriptor);
  return uv_run(loop, UV_RUN_DEFAULT);
}
