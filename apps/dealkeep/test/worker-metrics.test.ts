import { expect, test } from 'vitest';
import { ownDatabase, startCommandHere } from './program.ts';

test('a worker without the API serves health and metrics when METRICS_TOKEN is set (rules operator 17 and 18)', async () => {
  const variables = { ...(await ownDatabase()), ROLES: 'worker', PORT: '0', METRICS_TOKEN: 'token-of-mine' };
  const program = startCommandHere(['start'], variables);
  const port = await program.says(/"port":(\d+)/);
  const at = (path: string, token = 'token-of-mine') =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await at('/healthz')).status).toBe(200);
  expect((await at('/readyz')).status).toBe(200);
  expect((await at('/metrics', 'other')).status).toBe(401);
  const metrics = await (await at('/metrics')).text();
  expect(metrics).toMatch(/^process_cpu_seconds_total /m);
  expect(metrics).toMatch(/^dealkeep_database_up 1$/m);
  expect(metrics).toMatch(/^dealkeep_deliveries_in_flight\{lane="fast"\} 0$/m);
  expect((await at('/api/v1/public/me')).status).toBe(404);
  expect((await program.end('SIGTERM')).code).toBe(0);
});

test('a worker without the API and without METRICS_TOKEN listens nowhere (rule operator 18)', async () => {
  const program = startCommandHere(['start'], { ...(await ownDatabase()), ROLES: 'worker', PORT: '0' });
  await program.says(/Dealkeep is ready/);
  const { code, stdout } = await program.end('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).not.toContain('"port"');
});
