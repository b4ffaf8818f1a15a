// The yardstick of event streams: the smallest cost of sending the same event to many readers with GNU libmicrohttpd.
//
// A GET opens a stream that is suspended while there is no event. Any other request is an event, which resumes all
// streams; each copies the same bytes. The daemon's flags are those of Sources/MicroHTTPServer. There is one thread, as
// the service has on one core. Every callback runs on it, so no lock is needed. Springbar's cost above the yardstick is
// that of its locks, its queue for each reader, and the bar itself.
//
// usage: fanout PORT BYTES          It ends when its standard input is closed, so it ends with its driver.

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READERS = 4096 };

struct reader {
    struct MHD_Connection *connection;
    unsigned long seen;
    bool sleeps;
};

static struct reader *readers[READERS];
static size_t count;
static unsigned long events = 1;  // A new reader gets the first event at once.
static char *event;
static size_t event_size;
static struct MHD_Response *done;

static ssize_t pull(void *cls, uint64_t position, char *buffer, size_t room) {
    struct reader *reader = cls;
    (void)position;
    if (reader->seen == events) {
        reader->sleeps = true;
        MHD_suspend_connection(reader->connection);
        return 0;
    }
    if (room < event_size) return MHD_CONTENT_READER_END_WITH_ERROR;
    reader->seen = events;
    memcpy(buffer, event, event_size);
    return (ssize_t)event_size;
}

static enum MHD_Result open_stream(struct MHD_Connection *connection) {
    struct reader *reader = count < READERS ? calloc(1, sizeof *reader) : NULL;
    if (reader == NULL) return MHD_NO;
    reader->connection = connection;
    // Readers stay until the end, so their state is never freed.
    readers[count++] = reader;
    struct MHD_Response *stream = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, &pull, reader, NULL);
    MHD_add_response_header(stream, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, stream);
    MHD_destroy_response(stream);
    return result;
}

static void tell(void) {
    events++;
    for (size_t index = 0; index < count; index++) {
        if (!readers[index]->sleeps) continue;
        readers[index]->sleeps = false;
        MHD_resume_connection(readers[index]->connection);
    }
}

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **context) {
    static int seen;
    (void)cls, (void)url, (void)version, (void)upload;
    if (*context == NULL) {
        *context = &seen;
        return MHD_YES;
    }
    if (*upload_size != 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) == 0) return open_stream(connection);
    tell();
    return MHD_queue_response(connection, MHD_HTTP_OK, done);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: fanout PORT BYTES\n");
        return 2;
    }
    event_size = strtoul(argv[2], NULL, 10);
    event = event_size >= 2 && event_size <= 4096 ? malloc(event_size) : NULL;
    if (event == NULL) {
        fprintf(stderr, "fanout: an event has 2 to 4096 bytes\n");
        return 2;
    }
    memset(event, 'x', event_size - 2);
    memcpy(event + event_size - 2, "\n\n", 2);
    done = MHD_create_response_from_buffer(2, "ok", MHD_RESPMEM_PERSISTENT);

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, &answer, NULL,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_TIMEOUT, 30U, MHD_OPTION_CONNECTION_LIMIT, 4096U,
        MHD_OPTION_END);
    if (daemon == NULL) {
        perror("fanout: MHD_start_daemon");
        return 1;
    }
    char ignored[64];
    while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) continue;
    // A daemon with suspended connections cannot be stopped cleanly; it ends with the process.
    return 0;
}
