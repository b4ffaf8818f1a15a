// GNU libmicrohttpd, the system calls that a server needs besides, and functions that Swift cannot express: variadic
// calls, a va_list, callbacks as variadic options. The C compiler checks everything here against the library's own
// header.
#ifndef SPRINGBAR_CMICROHTTPD_H
#define SPRINGBAR_CMICROHTTPD_H

#include <limits.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// glibc declares these only with _GNU_SOURCE, and Swift's Glibc module is built without it.
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);

/// The receiver of the library's log lines; the caller keeps it until the daemon has stopped.
struct microhttpd_log {
    void (*write)(void *context, const char *line);
    void *context;
};

/// The library's log callback: formats one line and passes it on.
static inline void microhttpd_log_line(void *log, const char *format, va_list arguments) {
    char line[1024];
    const struct microhttpd_log *sink = (const struct microhttpd_log *)log;
    vsnprintf(line, sizeof line, format, arguments);
    sink->write(sink->context, line);
}

/// The callbacks and limits of a daemon. Every callback gets `context`.
struct microhttpd_options {
    void *context;
    MHD_AccessHandlerCallback answer;
    void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    struct microhttpd_log *log;
    unsigned int threads;
    unsigned int idle_seconds;
    size_t connection_memory;
};

/// Leaves the library's copy of a target encoded, since the service reads the raw one.
static inline size_t microhttpd_keep_encoded(void *context, struct MHD_Connection *connection, char *target) {
    (void)context;
    (void)connection;
    return strlen(target);
}

/// Starts a daemon without a listening socket; returns NULL after a failure.
static inline struct MHD_Daemon *microhttpd_start(unsigned int flags, const struct microhttpd_options *options) {
    // The library ignores a pool of one thread with a warning, so this option is omitted then.
    const struct MHD_OptionItem pool[] = {
        {options->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)options->threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    // The manual requires the logger first, so that faults of the other options are logged.
    return MHD_start_daemon(
        flags, 0, NULL, NULL, options->answer, options->context,
        MHD_OPTION_EXTERNAL_LOGGER, microhttpd_log_line, (void *)options->log,
        MHD_OPTION_URI_LOG_CALLBACK, options->request_line, options->context,
        MHD_OPTION_UNESCAPE_CALLBACK, microhttpd_keep_encoded, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
        MHD_OPTION_NOTIFY_CONNECTION, options->connection_changed, options->context,
        // The service has a limit of its own. The library would divide its limit by the number of workers, and one
        // worker may get all connections.
        MHD_OPTION_CONNECTION_LIMIT, UINT_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory,
        MHD_OPTION_ARRAY, pool,
        MHD_OPTION_END);
}

/// Empties the query of a target that has been copied.
///
/// The library would split the query into parameters, which are not used. Some five hundred of them exceed its memory for
/// a connection, and it then closes the connection without a response. The target is in the library's own buffer, which
/// is writable, and a query ends with a zero byte like any C string (connection.c of 0.9.75,
/// parse_initial_message_line).
static inline void microhttpd_empty_query(const char *target) {
    char *query = strchr((char *)(uintptr_t)target, '?');
    if (query != NULL) query[1] = 0;
}

/// Keeps the library from parsing the cookies of the request that begins; called with its request line.
///
/// The library would copy the first field with the name Cookie and keep a record of 64 bytes for each cookie: heads of
/// browsers from 2 KiB on would exceed its memory for a connection (connection.c of 0.9.75, parse_cookie_header). It finds
/// an empty field first, which is added here and stays in the list. Its value is the end of its name, where a received
/// field has its colon.
static inline void microhttpd_skip_cookies(struct MHD_Connection *connection) {
    static const char name[] = "Cookie";
    MHD_set_connection_value_n(connection, MHD_HEADER_KIND, name, sizeof name - 1, name + sizeof name - 1, 0);
}

/// Returns the context that MHD_OPTION_NOTIFY_CONNECTION stored for the connection; NULL before.
static inline void *microhttpd_socket_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/// Returns the library's copy of the peer's address.
static inline const struct sockaddr *microhttpd_peer(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

/// Returns the library's descriptor of the connection, which is valid until the close notification has returned.
static inline int microhttpd_descriptor(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/// Returns the milliseconds since the last data arrived on a TCP connection, or since its start; 0 if unknown.
static inline int64_t microhttpd_silence(int descriptor) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_last_data_recv : 0;
}

/// Returns the bytes of a response that the peer has not acknowledged (tcp(7), SIOCOUTQ); 0 if unknown.
static inline int microhttpd_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}

/// Returns the bytes that the peer has acknowledged so far; 0 if unknown.
///
/// It is at this position of Linux' `struct tcp_info`, of which glibc has the beginning only.
static inline uint64_t microhttpd_acknowledged(int descriptor) {
    enum { position = 120 };
    unsigned char info[position + sizeof(uint64_t)];
    socklen_t size = sizeof info;
    uint64_t count = 0;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &size) == 0 && size == sizeof info)
        memcpy(&count, info + position, sizeof count);
    return count;
}

/// Returns the library's count of bytes in the request's head, from its method to its end; 0 before the end.
static inline size_t microhttpd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Returns the status of the queued response; 0 without one.
static inline unsigned int microhttpd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info == NULL ? 0 : info->http_status;
}

/// Makes the worker check a connection each time it wakes, and disables the connection's time-out.
///
/// The library checks every connection with another time-out than the daemon's (daemon.c of 0.9.75, MHD_epoll).
static inline void microhttpd_visit_always(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}

/// Makes a response of unknown length end with its connection, instead of with a last chunk.
static inline void microhttpd_end_with_connection(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

#endif
