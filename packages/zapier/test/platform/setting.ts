import type { HookReceiver } from './hook-receiver.ts';
import type { Connection, Platform } from './platform.ts';

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
): Promise<Answer> {
  const response = await fetch(`${connection.base_url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${connection.api_key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const content: unknown = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(content)}`);
  return Object(content).data;
}

/** Runs an action or a search. */
export const perform = (
  { platform, connection }: Setting,
  method: string,
  inputData: Values,
  meta: Values = {},
) => platform.run(`${method}.operation.perform`, { authData: connection, inputData, meta });

export const act = async (setting: Setting, key: string, inputData: Values): Promise<Values> =>
  Object(await perform(setting, `creates.${key}`, inputData));

export async function list(setting: Setting, method: string, inputData: Values = {}, meta: Values = {}) {
  const found = await perform(setting, method, inputData, meta);
  if (!Array.isArray(found)) throw new Error(`${method} answered no list.`);
  return found.map((item): Values => Object(item));
}
