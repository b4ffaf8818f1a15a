# Builds the one binary with Swift, and puts it alone on Debian slim with the four libraries it needs.
# Only what every builder understands: no here-documents, no COPY --link.
ARG SWIFT_VERSION=6.3

FROM swift:${SWIFT_VERSION}-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libcurl4-openssl-dev libmicrohttpd-dev libsimdjson-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The dependencies are a layer of their own: they are fetched anew only when the manifest changes.
COPY Package.swift ./
RUN swift package resolve
COPY openapi.yaml ./
COPY Clients Clients
COPY Playground Playground
COPY Sources Sources
COPY Tests Tests
RUN swift build --configuration release --product springbar --static-swift-stdlib \
    && strip -o /springbar "$(swift build --configuration release --show-bin-path)/springbar"

FROM debian:bookworm-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Springbar" \
    org.opencontainers.image.description="Layout state, motion parameters and photo pages over HTTP" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4 libmicrohttpd12 libsimdjson14 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /springbar /usr/local/bin/springbar
ENV SPRINGBAR_HOST=0.0.0.0
EXPOSE 8080
# A number, so that Kubernetes can see that it is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
    CMD ["/usr/local/bin/springbar", "health"]
ENTRYPOINT ["/usr/local/bin/springbar"]
CMD ["serve"]
