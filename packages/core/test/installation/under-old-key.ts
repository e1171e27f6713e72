import { randomBytes, randomUUID } from 'node:crypto';
import {
  createManualWebhook,
  rotateWebhookSecret,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { placeOfTokenAnswer } from '../../src/accounts/oauth/tokens.ts';
import type { Database } from '../../src/foundations/database/connect.ts';
import { newSecretsKey, parseSecretsKey, type Secrets } from '../../src/foundations/secrets.ts';
import { encryptedColumns, encryptedValues } from '../../src/installation/installation/encrypted-values.ts';
import { enterInstallation } from '../../src/installation/installation/installation.ts';

export const [old, fresh] = [newSecretsKey(), newSecretsKey()];
export const both = parseSecretsKey(`${fresh},${old}`);

export const processOf = (id: string) => ({
  id,
  roles: ['api'],
  host: 'one',
  version: '1',
  deliveriesHeld: false,
  connections: 1,
});

/** An installation under the old key with something in every encrypted column. */
export async function underOldKey() {
  const secrets = parseSecretsKey(old);
  const dealkeep = await startDealkeep({ worker: false, secrets });
  const { core, sql } = dealkeep;
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const id = randomUUID();
  await enterInstallation(sql, { environment: 'live', secrets, process: processOf(id) });
  const target_url = 'http://127.0.0.1:9/';
  const events = ['lead.created'];
  const header = { 'Idempotency-Key': 'once' };
  const body = { target_url, events };
  const created = await api.with(header).post('/webhooks', body);
  const hook = await createManualWebhook(core, organization, {
    name: 'By hand',
    target_url,
    events,
    headers: [{ name: 'Authorization', value: 'Bearer of the receiver' }],
    asymmetric_signature: true,
  });
  await rotateWebhookSecret(core, organization, { id: hook.id });
  await storeTokenAnswer(sql, organization, secrets);
  const leave = () => sql`delete from processes where id = ${id}`;
  return { dealkeep, sql, organization, hook, created, leave, header, body };
}

/** As the exchange of a refresh token leaves it for a minute. */
async function storeTokenAnswer(sql: Database, organization: TestOrganization, secrets: Secrets) {
  const hash = randomBytes(32);
  const connection = randomUUID();
  await sql`
    insert into oauth_apps (client_id, name, secret_hash, redirect_uris, scopes, created_at)
    values (${connection}, 'App', ${hash}, '{}', '{}', now())`;
  await sql`
    insert into oauth_connections (organization_id, id, client_id, user_id, scopes, created_at, last_used_at)
    values (${organization.id}, ${connection}, ${connection}, ${organization.ownerId}, '{}', now(), now())`;
  await sql`
    insert into oauth_refresh_tokens (token_hash, organization_id, connection_id, created_at, rotated_at, answer)
    values (${hash}, ${organization.id}, ${connection}, now(), now(),
            ${secrets.encrypt('{}', placeOfTokenAnswer(hash))})`;
}

/** How many values a key opens where they stand, of all there are. */
export async function opened(sql: Database, secrets: Secrets) {
  let [readable, all] = [0, 0];
  for (const column of encryptedColumns) {
    for await (const { place, sealed } of encryptedValues(sql, column)) {
      all += 1;
      if (secrets.canDecrypt(sealed, place)) readable += 1;
    }
  }
  return { readable, all };
}
