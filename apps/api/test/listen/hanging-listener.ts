import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestDealkeep } from '@dealkeep/testing';
import { onTestFinished } from 'vitest';

/** Opens a stream and takes nothing of it. */
export async function hang({ origin }: TestDealkeep, key: string) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /listen HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** More than the buffers of a connection hold. */
export const flood = (dealkeep: TestDealkeep, organization: string, events = 20) => dealkeep.sql`
  insert into events (organization_id, id, type, record_id, occurred_at, envelope)
  select ${organization}, 'evt_' || n, 'lead.created', gen_random_uuid(), now(), repeat('x', 1000000)
  from generate_series(1, ${events}::int) as n`;
