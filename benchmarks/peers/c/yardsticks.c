/* What libuv itself does in a second, to hold the layer above it against: ping-pong, timers and wake-ups. */
#include <stdint.h>
#include <uv.h>

#include "peer.h"

#define MILLION 1000000
#define NANOS 1e9
#define TIMEOUTS_PER_MS 1000
/* Stays behind the events, so that the pinger does not fill the machine with signals that merge into one. */
#define PINGS_AHEAD 64

static const char ping[] = "PING\n";
static char receive_buffer[PEER_BUFFER];
static uint64_t count;
static uint64_t end_time;

static void check(int status, const char *what) {
  if (status < 0) peer_die(what, uv_strerror(status));
}

static void report(const char *what, uint64_t nanos, uint64_t operations) {
  printf("%-14s %12.1f ns each, %12.0f a second\n", what, (double) nanos / operations, operations * NANOS / nanos);
}

static void close_all(uv_handle_t *handle, void *unused) {
  (void) unused;
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

static void finish(uv_loop_t *loop) {
  uv_walk(loop, close_all, NULL);
  check(uv_run(loop, UV_RUN_DEFAULT), "uv_run");
  check(uv_loop_close(loop), "uv_loop_close");
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void) handle;
  (void) suggested;
  *buf = uv_buf_init(receive_buffer, sizeof receive_buffer);
}

static void on_message(uv_stream_t *stream, ssize_t length, const uv_buf_t *buf) {
  if (length < 0) peer_die("read", uv_strerror((int) length));
  uv_buf_t out = uv_buf_init(buf->base, (unsigned) length);
  if (stream->data != NULL) {
    count++;
    if (uv_hrtime() >= end_time) {
      uv_stop(stream->loop);
      return;
    }
  }
  if (uv_try_write(stream, &out, 1) != length) peer_die("write", "the socket did not take a message of five bytes");
}

static void on_connect(uv_connect_t *request, int status) {
  check(status, "connect");
  uv_buf_t out = uv_buf_init((char *) ping, sizeof ping - 1);
  request->handle->data = request;
  check(uv_read_start(request->handle, on_alloc, on_message), "uv_read_start");
  check(uv_try_write(request->handle, &out, 1), "write");
}

static void on_connection(uv_stream_t *server, int status) {
  static uv_tcp_t connection;
  check(status, "accept");
  check(uv_tcp_init(server->loop, &connection), "uv_tcp_init");
  connection.data = NULL;
  check(uv_accept(server, (uv_stream_t *) &connection), "uv_accept");
  check(uv_tcp_nodelay(&connection, 1), "uv_tcp_nodelay");
  check(uv_read_start((uv_stream_t *) &connection, on_alloc, on_message), "uv_read_start");
}

static void ping_pong(uint64_t nanos) {
  uv_loop_t loop;
  uv_tcp_t server, client;
  uv_connect_t request;
  peer_address_t address = peer_address("127.0.0.1:0");
  int length = sizeof address;
  check(uv_loop_init(&loop), "uv_loop_init");
  check(uv_tcp_init(&loop, &server), "uv_tcp_init");
  check(uv_tcp_bind(&server, &address.any, 0), "bind");
  check(uv_listen((uv_stream_t *) &server, 1, on_connection), "listen");
  check(uv_tcp_getsockname(&server, &address.any, &length), "getsockname");
  check(uv_tcp_init(&loop, &client), "uv_tcp_init");
  check(uv_tcp_nodelay(&client, 1), "uv_tcp_nodelay");
  check(uv_tcp_connect(&request, &client, &address.any, on_connect), "connect");
  count = 0;
  uint64_t start = uv_hrtime();
  end_time = start + nanos;
  uv_run(&loop, UV_RUN_DEFAULT);
  report("ping-pong", uv_hrtime() - start, count);
  finish(&loop);
}

static void on_timer(uv_timer_t *timer) {
  (void) timer;
  count++;
}

static void million_timers(void) {
  uv_loop_t loop;
  uv_timer_t *timers = calloc(MILLION, sizeof *timers);
  if (timers == NULL) peer_die("calloc", "out of memory");
  check(uv_loop_init(&loop), "uv_loop_init");
  uint64_t start = uv_hrtime();
  for (int i = 0; i < MILLION; i++) {
    check(uv_timer_init(&loop, &timers[i]), "uv_timer_init");
    check(uv_timer_start(&timers[i], on_timer, 1 + (uint64_t) i / TIMEOUTS_PER_MS, 0), "uv_timer_start");
  }
  report("timer start", uv_hrtime() - start, MILLION);
  /* Waits until the last is due, so that firing is measured and not waiting. */
  uv_sleep(1 + MILLION / TIMEOUTS_PER_MS);
  count = 0;
  start = uv_hrtime();
  uv_run(&loop, UV_RUN_DEFAULT);
  report("timer fire", uv_hrtime() - start, count);
  finish(&loop);
  free(timers);
}

typedef struct {
  uv_async_t *handles;
  uint64_t received;
  int stop;
} pings_t;

static void on_async(uv_async_t *async) {
  pings_t *pings = async->data;
  uint64_t received = __atomic_add_fetch(&pings->received, 1, __ATOMIC_RELEASE);
  if ((received & 1023) == 0 && uv_hrtime() >= end_time) {
    __atomic_store_n(&pings->stop, 1, __ATOMIC_RELEASE);
    uv_stop(async->loop);
  }
}

static void send_pings(void *argument) {
  pings_t *pings = argument;
  for (uint64_t sent = 0; !__atomic_load_n(&pings->stop, __ATOMIC_ACQUIRE);) {
    if (sent - __atomic_load_n(&pings->received, __ATOMIC_ACQUIRE) < PINGS_AHEAD) {
      check(uv_async_send(&pings->handles[sent++ % PINGS_AHEAD]), "uv_async_send");
    }
  }
}

static void wake_ups(uint64_t nanos) {
  uv_loop_t loop;
  uv_thread_t thread;
  uv_async_t handles[PINGS_AHEAD];
  pings_t pings = {.handles = handles};
  check(uv_loop_init(&loop), "uv_loop_init");
  for (int i = 0; i < PINGS_AHEAD; i++) {
    check(uv_async_init(&loop, &handles[i], on_async), "uv_async_init");
    handles[i].data = &pings;
  }
  uint64_t start = uv_hrtime();
  end_time = start + nanos;
  check(uv_thread_create(&thread, send_pings, &pings), "uv_thread_create");
  uv_run(&loop, UV_RUN_DEFAULT);
  report("wake-up", uv_hrtime() - start, pings.received);
  check(uv_thread_join(&thread), "uv_thread_join");
  finish(&loop);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 3;
  if (seconds <= 0 || seconds > 3600) peer_die(argv[0], "usage: [SECONDS]");
  printf("libuv %s\n", uv_version_string());
  ping_pong((uint64_t) (seconds * NANOS));
  million_timers();
  wake_ups((uint64_t) (seconds * NANOS));
  return 0;
}
