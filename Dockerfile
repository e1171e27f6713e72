FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY apps apps
# Only what the server needs: no tests, no connectors, no embedded PostgreSQL, no second Node.
RUN npm ci --omit=dev --omit=optional --workspace apps/dealkeep
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "apps/dealkeep/bin/healthcheck.js"]
ENTRYPOINT ["node", "apps/dealkeep/bin/dealkeep.js"]
CMD ["start"]
