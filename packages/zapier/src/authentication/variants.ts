// The ways to connect, each an integration of its own, under the name that `--auth` and `released/` know it by.
export { apiKey as api_key } from './api-key.ts';
export { oauth2 } from './oauth2.ts';
