// The yardstick: the smallest cost of a request with GNU libmicrohttpd.
//
// It answers every GET with one response object that was built before the first request. The daemon flags are those of
// Sources/MicroHTTPServer: epoll, a pool of threads, suspend and resume allowed, an idle time-out, a connection limit.
// With a few bytes it is the "C hello"; with the size of a picture it is a picture server. Springbar's cost above the
// yardstick is that of routing, validation, the domain and JSON.
//
// usage: prebuilt PORT THREADS BYTES          It ends when its standard input is closed, so it ends with its driver.

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct MHD_Response *prebuilt;

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **context) {
    static int seen;
    (void)cls, (void)url, (void)version, (void)upload;
    // A response in the first call makes the library close the connection, which gives a fifth of the rate.
    if (*context == NULL) {
        *context = &seen;
        return MHD_YES;
    }
    if (*upload_size != 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 ? MHD_queue_response(connection, MHD_HTTP_OK, prebuilt) : MHD_NO;
}

static unsigned long number(const char *text, unsigned long highest) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value == 0 || value > highest) {
        fprintf(stderr, "prebuilt: not a number from 1 to %lu: %s\n", highest, text);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: prebuilt PORT THREADS BYTES\n");
        return 2;
    }
    unsigned long port = number(argv[1], 65535), threads = number(argv[2], 256), bytes = number(argv[3], 1UL << 30);

    char *body = malloc(bytes);
    if (body == NULL) return 1;
    memset(body, 'x', bytes);
    prebuilt = MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(prebuilt, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, &answer, NULL,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_THREAD_POOL_SIZE, (unsigned int)threads,
        MHD_OPTION_CONNECTION_TIMEOUT, 30U, MHD_OPTION_CONNECTION_LIMIT, 4096U, MHD_OPTION_END);
    if (daemon == NULL) {
        perror("prebuilt: MHD_start_daemon");
        return 1;
    }
    char ignored[64];
    while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) continue;
    MHD_stop_daemon(daemon);
    MHD_destroy_response(prebuilt);
    free(body);
    return 0;
}
