FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base

# The nodes for n8n, packed: the service n8n-node of the composition installs them.
FROM base AS n8n-node
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --workspace n8n-nodes-dealkeep && npm run build:n8n -- --quick
RUN mkdir -p /opt/n8n-node && tar -xzf packages/n8n-nodes-dealkeep/n8n-nodes-dealkeep-*.tgz -C /opt/n8n-node --strip-components=1

FROM base
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY packages/contract packages/contract
COPY packages/core packages/core
COPY packages/embedded-postgres packages/embedded-postgres
COPY apps apps
# Only what the server needs: no tests, no connectors, no embedded PostgreSQL, no second Node.
RUN npm ci --omit=dev --omit=optional --workspace apps/dealkeep && npm cache clean --force
COPY --from=n8n-node /opt/n8n-node /opt/n8n-node
# The files belong to root: the server reads them, and writes nowhere but where a volume is mounted, of backups or of n8n.
RUN install --directory --owner node --group node --mode 0700 /backups
RUN install --directory --owner node --group node --mode 0700 /home/node/.n8n
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "apps/dealkeep/bin/healthcheck.js"]
# The program itself is process 1 and hears SIGTERM.
ENTRYPOINT ["node", "apps/dealkeep/bin/dealkeep.js"]
CMD ["start"]
