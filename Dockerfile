# The program alone: docker build -t axle . && docker run --rm -v "$PWD":/src -w /src axle check model.pml
FROM rust:1.95-bookworm AS build
WORKDIR /axle
COPY . .
RUN cargo build --release --locked --bin axle

FROM debian:bookworm-slim
# Workers and notifications verify certificates of servers.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /axle/target/release/axle /usr/local/bin/axle
ENTRYPOINT ["axle"]
