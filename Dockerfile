# The image of SecondRing. It contains one binary and the certificates of the public
# authorities. To start the demo on a laptop:
#
#   docker build -t secondring --build-arg VERSION="$(git describe --tags --always)" .
#   docker run --rm -p 8080:8080 -v secondring:/data -e DEMO=1 secondring
#
# docker-compose.yml runs three containers of it.
#
# All stages run on the platform of the builder. Only the Go compiler makes code for another
# one, so that an image for several platforms needs no emulation.

FROM --platform=$BUILDPLATFORM node:20.20.2-bookworm-slim AS client
WORKDIR /src/client
COPY client/package.json client/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY client/ ./
RUN npm run build

FROM --platform=$BUILDPLATFORM node:20.20.2-bookworm-slim AS pictures
WORKDIR /src/scripts/photos
COPY scripts/photos/package.json scripts/photos/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund

FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS source
ENV CGO_ENABLED=0 GOTOOLCHAIN=local
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download

# The demo's photographs take some time. They have their own stage, which copies only the
# packages that make them, so that other changes keep its build cache.
FROM source AS photographs
COPY --from=pictures /src/scripts/photos/node_modules scripts/photos/node_modules
COPY market market
COPY api/rest api/rest
COPY api/images api/images
COPY cmd/secondring/demo/models cmd/secondring/demo/models
COPY scripts/photos scripts/photos
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    mkdir -p cmd/secondring/demo/photos && go run ./scripts/photos

FROM source AS server
COPY . .
COPY --from=photographs /src/cmd/secondring/demo/photos cmd/secondring/demo/photos
COPY --from=client /src/client/dist client/dist
ARG VERSION=unknown COMMIT DATE TARGETOS TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags "-s -w -X main.version=$VERSION -X main.commit=$COMMIT -X main.date=$DATE" -o /out/secondring ./cmd/secondring \
    && mkdir -p /out/own/data /out/own/tmp && chmod 0700 /out/own/data && chmod 1777 /out/own/tmp

FROM scratch
COPY --from=source /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=server /out/secondring /
COPY --from=server --chown=65532:65532 /out/own/ /
USER 65532:65532
ENV ADDR=:8080 DATA_DIR=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# The image has no shell, so the binary makes the health check itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/secondring", "health"]
ENTRYPOINT ["/secondring"]
