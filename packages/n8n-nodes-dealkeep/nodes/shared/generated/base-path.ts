// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

/** The path of the API root below the origin. */
export const basePath = '/api/v1/public';
