import { oauthScopes } from '@dealkeep/contract';
import { authorize, zapierRedirect } from './authorize.ts';
import { type Connection, keyConnection } from './connection.ts';
import type { Platform } from './platform.ts';
import type { Organization, Service } from './service.ts';

/** Registers the integration with a service and sets its environment, as its publisher does. */
export async function publish(service: Service, platform: Platform): Promise<void> {
  const app = await service.registerApp(zapierRedirect, oauthScopes);
  Object.assign(platform.environment, {
    BASE_URL: service.baseUrl,
    CLIENT_ID: app.client_id,
    CLIENT_SECRET: app.client_secret,
  });
}

/** Connects an organization as its owner does it, to the published integration. */
export async function connectByOauth(
  { baseUrl }: Service,
  platform: Platform,
  { ownerEmail, createKey }: Pick<Organization, 'ownerEmail' | 'createKey'>,
): Promise<Connection> {
  const [authData, apiKey] = [await authorize(platform, ownerEmail), await createKey()];
  return { authData, baseUrl, apiKey };
}

/** Connects an organization to the private integration. */
export const connectByKey = async ({ baseUrl }: Service, { createKey }: Organization): Promise<Connection> =>
  keyConnection(baseUrl, await createKey());
