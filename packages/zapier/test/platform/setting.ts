import { type Connection, runAs } from './connection.ts';
import type { HookReceiver } from './hook-receiver.ts';
import type { Platform } from './platform.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A running service, an integration connected to it, and the side of Zapier that receives deliveries. */
export interface Setting {
  readonly platform: Platform;
  readonly connection: Connection;
  readonly receiver: HookReceiver;
}

/** Asks the API directly, as the business itself does it; the record or list of a success. */
export async function ask<Answer = Values>(
  { connection }: Setting,
  method: string,
  path: string,
  body?: Values,
  token = connection.apiKey,
): Promise<Answer> {
  const response = await fetch(`${connection.baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const content: unknown = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(content)}`);
  return Object(content).data;
}

interface Hook {
  readonly id: string;
  readonly target_url: string;
  readonly events: readonly string[];
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  readonly changed_fields?: readonly string[];
}

/** The hooks of the connection; no other credential sees them. */
export function hooks(setting: Setting): Promise<Hook[]> {
  const { access_token: accessToken, api_key: apiKey } = setting.connection.authData;
  return ask(setting, 'GET', '/webhooks', undefined, String(accessToken ?? apiKey));
}

/** Runs an action or a search. */
export const perform = (
  { platform, connection }: Setting,
  method: string,
  inputData: Values,
  meta: Values = {},
) => runAs(platform, connection, `${method}.operation.perform`, { inputData, meta });

export const act = async (setting: Setting, key: string, inputData: Values): Promise<Values> =>
  Object(await perform(setting, `creates.${key}`, inputData));

/**
 * Runs a Find or Create as Zapier does: what is filled in for the search and for the new record is one input, which
 * both are handed whole.
 */
export async function findOrCreate(setting: Setting, pair: string, inputData: Values): Promise<Values> {
  const definition = Object(await setting.platform.definition());
  const { search, create } = definition.searchOrCreates[pair];
  const [found] = await list(setting, `searches.${search}`, inputData);
  return found ?? act(setting, create, inputData);
}

export async function list(setting: Setting, method: string, inputData: Values = {}, meta: Values = {}) {
  const found = await perform(setting, method, inputData, meta);
  if (!Array.isArray(found)) throw new Error(`${method} answered no list.`);
  return found.map((item): Values => Object(item));
}
