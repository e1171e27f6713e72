import type { Platform } from './platform.ts';

type Values = Readonly<Record<string, unknown>>;

/** A connected account. */
export interface Connection {
  /** What Zapier keeps of it; with OAuth replaced by each refresh. */
  authData: Values;
  /** The API root. */
  readonly baseUrl: string;
  /** A key of the same organization, by which its people act themselves. */
  readonly apiKey: string;
}

/** An account of the private integration. */
export const keyConnection = (baseUrl: string, apiKey: string): Connection => ({
  authData: { base_url: baseUrl, api_key: apiKey },
  baseUrl,
  apiKey,
});

/** Runs a method as Zapier does: when the access has ended, the tokens are refreshed and it runs once more. */
export async function runAs(
  platform: Platform,
  connection: Connection,
  method: string,
  bundle: Values,
): Promise<unknown> {
  const run = () => platform.run(method, { ...bundle, authData: connection.authData });
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'RefreshAuthError') throw error;
    await refresh(platform, connection);
    return run();
  }
}

/** Zapier keeps whatever a refresh returns beside what it has. */
export async function refresh(platform: Platform, connection: Connection): Promise<void> {
  const { authData } = connection;
  const tokens = await platform.run('authentication.oauth2Config.refreshAccessToken', { authData });
  connection.authData = { ...authData, ...Object(tokens) };
}
