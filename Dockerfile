# The server as a container image: `docker build --tag patchbay:0.1.0 .` It needs a PostgreSQL (DATABASE_URL) and ENCRYPTION_KEYS.
# docs/guides/containers.md describes the settings.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The package has compiled code, so the image needs neither the sources nor the development dependencies. Optional
# packages are the Node.js and PostgreSQL for machines without them, and the bundler of the console, which is built here.
RUN npm pack --pack-destination /tmp \
  && mkdir /app && tar -xzf /tmp/patchbay-*.tgz -C /app --strip-components=1 \
  && cp package-lock.json .npmrc /app/ \
  && cd /app && npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Patchbay" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /app /app
# A numeric user, so that Kubernetes can check `runAsNonRoot`.
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
WORKDIR /data
ENV NODE_ENV=production HOME=/data HOST=0.0.0.0 PORT=3900 MONITORING_PORT=9464 DATA_DIR=/data XDG_CACHE_HOME=/data/cache
VOLUME /data
EXPOSE 3900 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.MONITORING_PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/patchbay.js"]
CMD ["start"]
