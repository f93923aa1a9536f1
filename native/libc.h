/* The part of glibc and of the kernel's interface that uvloop4j calls itself. */
#define _GNU_SOURCE
#include <features.h>

/* Without GCC's extensions sys/socket.h declares plain pointers instead of transparent unions, which jextract cannot pass. */
#pragma push_macro("__GNUC_PREREQ")
#undef __GNUC_PREREQ
#define __GNUC_PREREQ(major, minor) 0
#include <sys/socket.h>
#pragma pop_macro("__GNUC_PREREQ")

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <gnu/libc-version.h>
#include <linux/filter.h>
#include <linux/mempolicy.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
