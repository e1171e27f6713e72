import { spawn } from 'node:child_process';
import { eventually, heldMemory, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';

/**
 * A process of its own that asks over so many connections, and again after each empty page; tells who got the event.
 */
const readers = `
  import { connect } from 'node:net';
  const [port, request, count] = process.argv.slice(1);
  let answered = 0;
  for (let number = 0; number < Number(count); number += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('data', (bytes) => {
      if (bytes.includes('evt_awaited')) console.log(answered += 1);
      else if (bytes.includes('"data":[]')) socket.write(request);
    });
    socket.write(request);
  }`;

test('2,000 readers wait in 150 MB', async () => {
  const own = await startDealkeep({ worker: false });
  const { id, key } = await own.createOrganization();
  const { port } = new URL(own.origin);
  const request = `GET /api/v1/public/events?wait=20 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  // What 2,000 requests at once leave to be collected is not what waiting holds.
  await own.as(key).get('/events');
  const before = heldMemory();
  const parameters = ['--input-type=module', '--eval', readers, port, request, '2000'];
  const others = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void others.kill('SIGKILL'));
  let told = '';
  others.stdout.on('data', (bytes) => {
    told += bytes;
  });
  await eventually(() => expect(own.core.waitingReaders.count).toBe(2000));
  expect(heldMemory() - before).toBeLessThan(150_000_000);
  await own.sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    values (${id}, 'evt_awaited', 'lead.created', gen_random_uuid(), now(), '{"id":"evt_awaited"}')`;
  await eventually(() => expect(told).toMatch(/^2000$/m));
}, 150_000);
