# Builds the binary with Swift and copies it to Debian slim with the four packages that it needs. The syntax is limited
# to what every builder supports: no here-documents, no COPY --link.
#
# The base images are arguments, so that a build can name their digests. docs/operating.md says how to find them;
# .github/workflows/release.yml does it for a release.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG DEBIAN_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        jq libcurl4-openssl-dev libhiredis-dev libmicrohttpd-dev libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# A layer of its own, so that dependencies are fetched again only when the manifest changes.
COPY Package.swift ./
RUN swift package resolve
COPY openapi.yaml ./
COPY Clients Clients
COPY Playground Playground
COPY Sources Sources
RUN swift build --configuration release --product springbar \
    && strip -o /springbar "$(swift build --configuration release --show-bin-path)/springbar"
COPY script/sbom script/sbom
RUN script/sbom >/sbom.cdx.json && cp /usr/share/common-licenses/Apache-2.0 /

# The files of a release's tarball: docker build --target files --output FOLDER .
FROM scratch AS files
COPY --from=build /springbar /sbom.cdx.json /Apache-2.0 ./
COPY LICENSE NOTICE ./

FROM ${DEBIAN_IMAGE}
ARG SWIFT_IMAGE
ARG DEBIAN_IMAGE
ARG VERSION=1.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Springbar" \
    org.opencontainers.image.description="Layout state, motion parameters and photo pages over HTTP" \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.base.name="${DEBIAN_IMAGE}" \
    springbar.build-image="${SWIFT_IMAGE}"
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libhiredis0.14 libmicrohttpd12 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /springbar /usr/local/bin/springbar
COPY --from=build /sbom.cdx.json /usr/share/doc/springbar/
COPY LICENSE NOTICE /usr/share/doc/springbar/
ENV SPRINGBAR_HOST=0.0.0.0
EXPOSE 8080
# A numeric user lets Kubernetes verify that it is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
    CMD ["/usr/local/bin/springbar", "health"]
ENTRYPOINT ["/usr/local/bin/springbar"]
CMD ["serve"]
