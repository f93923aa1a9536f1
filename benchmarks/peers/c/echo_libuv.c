/* Echo on libuv: one shared receive buffer, written back from the read callback; only what the socket refuses is copied. */
#include <signal.h>
#include <uv.h>

#include "peer.h"

typedef struct {
  union {
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
  } handle;
  int paused;
} connection_t;

typedef struct {
  uv_write_t request;
  char bytes[];
} rest_t;

static char receive_buffer[PEER_BUFFER];

static void check(int status, const char *what) {
  if (status < 0) peer_die(what, uv_strerror(status));
}

static void on_close(uv_handle_t *handle) { free(handle); }

static void close_connection(uv_stream_t *stream) {
  if (!uv_is_closing((uv_handle_t *) stream)) uv_close((uv_handle_t *) stream, on_close);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void) handle;
  (void) suggested;
  buf->base = receive_buffer;
  buf->len = sizeof receive_buffer;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf);

static void on_rest_written(uv_write_t *request, int status) {
  uv_stream_t *stream = request->handle;
  connection_t *connection = (connection_t *) stream;
  free(request);
  if (status < 0) {
    close_connection(stream);
  } else if (connection->paused && uv_stream_get_write_queue_size(stream) == 0) {
    connection->paused = 0;
    if (uv_read_start(stream, on_alloc, on_read) < 0) close_connection(stream);
  }
}

static void write_rest(uv_stream_t *stream, const char *bytes, size_t count) {
  connection_t *connection = (connection_t *) stream;
  rest_t *rest = malloc(sizeof *rest + count);
  if (rest == NULL) peer_die("malloc", "out of memory");
  memcpy(rest->bytes, bytes, count);
  uv_buf_t buf = uv_buf_init(rest->bytes, (unsigned) count);
  if (uv_write(&rest->request, stream, &buf, 1, on_rest_written) < 0) {
    free(rest);
    close_connection(stream);
  } else if (uv_stream_get_write_queue_size(stream) > PEER_HIGH_WATER) {
    connection->paused = 1;
    uv_read_stop(stream);
  }
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf) {
  if (count < 0) {
    close_connection(stream);
    return;
  }
  if (count == 0) return;
  uv_buf_t out = uv_buf_init(buf->base, (unsigned) count);
  int written = uv_try_write(stream, &out, 1);
  if (written == count) return;
  if (written == UV_EAGAIN) written = 0;
  if (written < 0) {
    close_connection(stream);
  } else {
    write_rest(stream, buf->base + written, (size_t) (count - written));
  }
}

static void on_connection(uv_stream_t *server, int status) {
  check(status, "accept");
  connection_t *connection = calloc(1, sizeof *connection);
  if (connection == NULL) peer_die("calloc", "out of memory");
  uv_stream_t *stream = &connection->handle.stream;
  int over_tcp = server->type == UV_TCP;
  check(over_tcp ? uv_tcp_init(server->loop, &connection->handle.tcp)
                 : uv_pipe_init(server->loop, &connection->handle.pipe, 0), "init");
  if (uv_accept(server, stream) < 0 || (over_tcp && uv_tcp_nodelay(&connection->handle.tcp, 1) < 0)
      || uv_read_start(stream, on_alloc, on_read) < 0) {
    close_connection(stream);
  }
}

static uv_stream_t *bound_server(uv_loop_t *loop, const peer_address_t *address) {
  static uv_tcp_t tcp;
  static uv_pipe_t pipe;
  if (address->any.sa_family == AF_UNIX) {
    check(uv_pipe_init(loop, &pipe, 0), "uv_pipe_init");
    check(uv_pipe_bind(&pipe, address->local.sun_path), "bind");
    return (uv_stream_t *) &pipe;
  }
  check(uv_tcp_init(loop, &tcp), "uv_tcp_init");
  check(uv_tcp_bind(&tcp, &address->any, 0), "bind");
  return (uv_stream_t *) &tcp;
}

int main(int argc, char **argv) {
  char version[64];
  snprintf(version, sizeof version, "libuv %s", uv_version_string());
  peer_address_t address = peer_options(argc, argv, version);
  if (uv_version() != UV_VERSION_HEX) peer_die("libuv", "the library loaded is not the one compiled against");
  signal(SIGPIPE, SIG_IGN);
  uv_loop_t *loop = uv_default_loop();
  uv_os_fd_t descriptor;
  uv_stream_t *server = bound_server(loop, &address);
  check(uv_listen(server, PEER_BACKLOG, on_connection), "listen");
  check(uv_fileno((uv_handle_t *) server, &descriptor), "uv_fileno");
  peer_end_with_stdin();
  peer_announce(descriptor);
  return uv_run(loop, UV_RUN_DEFAULT);
}
