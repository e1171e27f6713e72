export { apiKey } from './authentication/api-key.ts';
export { oauth2 } from './authentication/oauth2.ts';
export type { AuthenticationVariant } from './authentication/variant.ts';
export * as variants from './authentication/variants.ts';
export { integration } from './integration.ts';
