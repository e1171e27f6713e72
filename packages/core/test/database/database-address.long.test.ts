import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';

test('hosts of which none serves are asked with a pause, not as fast as they refuse', async () => {
  let calls = 0;
  const hosts = await Promise.all(
    [1, 2].map(async () => {
      const server = createServer((socket) => {
        calls += 1;
        socket.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(async () => void server.close());
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const limits = { statementMs: 500, answerMs: 1000, connectMs: 500 };
  const sql = connect(`postgres://u:p@${hosts.join(',')}/crm`, { connections: 1, name: 'test', limits });
  onTestFinished(() => sql.end({ timeout: 0 }));
  await expect(sql`select 1`).rejects.toThrow('The database does not answer');
  expect(calls).toBeGreaterThan(2);
  expect(calls).toBeLessThan(40);
});
