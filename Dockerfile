# One image for every role: docs/containers.md.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build -- --final
RUN npm prune --omit=dev

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Toprung" \
      org.opencontainers.image.description="Self-hosted app store optimization" \
      org.opencontainers.image.licenses="Apache-2.0"
# The users that a host may choose. PostgreSQL refuses a user id without an entry.
COPY ops/container/passwd ops/container/group /etc/
RUN ["install", "--directory", "--owner=1000", "--group=1000", "--mode=0700", "/data", "/backups"]
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY package.json package-lock.json LICENSE ./
COPY --from=build /app/simulator simulator
COPY --from=build /app/src src
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/dist dist
ENV DATA_DIR=/data \
    HEALTH_SOCKET=/tmp/toprung-health.sock \
    WEB_HOST=0.0.0.0
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m CMD ["node", "/app/src/cli/main.js", "health"]
ENTRYPOINT ["node", "--max-semi-space-size=2", "/app/src/cli/main.js"]
CMD ["start"]
