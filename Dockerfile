FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY apps apps
# Only what the server needs: no tests, no connectors, no embedded PostgreSQL, no second Node.
RUN npm ci --omit=dev --omit=optional --workspace apps/dealkeep && npm cache clean --force
# The files belong to root: the server reads them, and writes nowhere but where a volume for backups is mounted.
RUN install --directory --owner node --group node --mode 0700 /backups
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "apps/dealkeep/bin/healthcheck.js"]
# The program itself is process 1 and hears SIGTERM.
ENTRYPOINT ["node", "apps/dealkeep/bin/dealkeep.js"]
CMD ["start"]
