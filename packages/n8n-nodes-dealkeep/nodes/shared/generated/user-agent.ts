// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

/** How the nodes introduce themselves; with the version of package.json. */
export const userAgent = 'n8n-nodes-dealkeep/0.1.0';
