export { apiKey } from './authentication/api-key.ts';
export type { AuthenticationVariant } from './authentication/variant.ts';
export { integration } from './integration.ts';
