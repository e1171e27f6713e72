import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { percentile, type Row, rounded } from '../row.ts';
import { startHangingWebhooks } from './hanging-webhooks.ts';
import { type BenchTarget, connectBench, makeOrganization } from './organization.ts';

const warmUps = 30;

/**
 * From the moment of a commit, as PostgreSQL noted it, to the moment at which the receiver sees the request; beside
 * so many webhooks that hang, each with more than it can take.
 */
export async function measureLatency(
  target: BenchTarget,
  { leads, hanging }: { leads: number; hanging: number },
): Promise<Row[]> {
  const sql = connectBench(target);
  const hang = await startHangingWebhooks(sql, target, hanging);
  const { id: organization, token } = await makeOrganization(sql);
  const arrivals = new Map<string, number>();
  const receiver = createServer((request, response) => {
    arrivals.set(String(request.headers['webhook-id']), performance.timeOrigin + performance.now());
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const bound = receiver.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  const program = await startProgram(target);

  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${program.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  await hang.allHang();
  await post('/webhooks', { target_url: `http://127.0.0.1:${port}/hook`, events: ['lead.created'] });
  for (let made = 0; made < warmUps + leads; made += 1) {
    await post('/leads', { name: `Lead ${made}` });
    await sleep(20 + Math.random() * 40);
  }
  const giveUp = performance.now() + 60_000;
  while (arrivals.size < warmUps + leads && performance.now() < giveUp) await sleep(20);

  const rows = await sql<{ id: string; at: string }[]>`
    select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::text as at from events
    where organization_id = ${organization} order by id`;
  const took = rows
    .slice(warmUps)
    .map(({ id, at }) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - Number(at))
    .sort((a, b) => a - b);
  await program.end('SIGTERM');
  receiver.close();
  receiver.closeAllConnections();
  await hang.stop();
  await sql.end();
  if (hanging > 0) {
    const what = `commit to receiver beside ${hanging} hanging webhooks`;
    return [
      { what: `${what}, p50`, value: rounded(percentile(took, 0.5)), unit: 'ms' },
      { what: `${what}, p99`, value: rounded(percentile(took, 0.99)), unit: 'ms', goal: '<= 150' },
      { what: `${what}, not delivered`, value: warmUps + leads - arrivals.size, unit: '', goal: '0' },
    ];
  }
  return [
    { what: 'commit to receiver, p50', value: rounded(percentile(took, 0.5)), unit: 'ms', goal: '<= 12' },
    { what: 'commit to receiver, p99', value: rounded(percentile(took, 0.99)), unit: 'ms', goal: '<= 40' },
    { what: 'commit to receiver, longest', value: rounded(took.at(-1) ?? Number.NaN), unit: 'ms' },
  ];
}
