import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type postgres from 'postgres';
import { onTestFinished } from 'vitest';

interface NotedProcess {
  host?: string;
  roles?: readonly string[];
  version?: string;
  secretsKey?: string;
  connections?: number;
  held?: boolean;
}

/** A process that runs elsewhere, as it notes itself. */
export async function noteProcess(sql: postgres.ISql, noted: NotedProcess = {}): Promise<void> {
  const {
    host = 'a',
    roles = ['api', 'worker'],
    version = '1',
    secretsKey = 'a',
    connections = 5,
    held = false,
  } = noted;
  await sql`
    insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
    values (${randomUUID()}, ${[...roles]}, ${host}, ${version}, ${secretsKey}, ${held}, ${connections})`;
}

/** A webhook with a delivery that has been due for ten minutes. Answers its id. */
export async function makeDueDelivery(sql: postgres.ISql, organization: string): Promise<string> {
  const webhook = randomUUID();
  await sql`
    insert into webhooks (organization_id, id, target_url, events, secret, created_at)
    values (${organization}, ${webhook}, 'https://example.com/', '{lead.created}', '\\x00', now())`;
  await sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    values (${randomUUID()}, ${organization}, ${webhook}, 'evt_1', now() - interval '10 minutes', now())`;
  return webhook;
}

/** A server that greets, and answers what comes; answers its port. */
export async function answering(reply: (said: string) => string | undefined, greeting = ''): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (greeting) socket.write(greeting);
    socket.on('data', (data) => {
      const answer = reply(String(data));
      if (answer !== undefined) socket.write(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
