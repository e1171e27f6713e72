import { type BenchOrganization, fillOrganization } from './business.ts';
import { type Figure, figure, median } from './figures.ts';
import { type Measured, measure, noteOf } from './measure.ts';
import { type RunningProcess, startListener, startRole } from './processes.ts';
import { type Bench, postmasterOf } from './ratios.ts';
import { writesOf } from './targets.ts';

const hooks = 50;

/**
 * What a change costs an organization whose 50 hooks are filtered, as a part of what it costs one with 50 plain
 * ones: CPU of the API and of PostgreSQL. Every filter takes the event, so that both write the same deliveries.
 */
export async function measureFilteredHooks({ url, sql, load, scale, say }: Bench): Promise<Figure> {
  const receiver = await startListener('./receiver.ts');
  const api = await startRole('api', 4713, {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  });
  const plain = await fillOrganization(sql, 'plain-hooks', 100);
  const filtered = await fillOrganization(sql, 'filtered-hooks', 100);
  for (const business of [plain, filtered]) {
    const wanted = business === filtered ? await wantedOf(api, business) : {};
    for (let made = 0; made < hooks; made += 1) await subscribe(api, business, receiver.port, wanted);
  }
  const postmaster = await postmasterOf(sql);
  const targetOf = (business: BenchOrganization) => ({
    processes: [api],
    postmaster,
    requests: writesOf([business]).update,
  });
  const milliseconds = scale < 1 ? 600 : 1000;
  const runs: { plain: Measured[]; filtered: Measured[] } = { plain: [], filtered: [] };
  const rounds = scale < 1 ? 5 : 15;
  for (let round = 0; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} with ${hooks} hooks …`);
    for (const [name, business] of Object.entries({ plain, filtered })) {
      const measured = await measure(load, targetOf(business), milliseconds);
      // Nobody takes them; a queue that grows would make each round dearer than the one before.
      await sql`delete from deliveries where organization_id = ${business.id}`;
      if (round > 0) runs[name === 'plain' ? 'plain' : 'filtered'].push(measured);
    }
  }
  await Promise.all([api, receiver].map((each) => each.stop()));
  const ratios = runs.filtered.map((each, at) => cpuOf(each) / cpuOf(runs.plain[at]));
  return figure(`PATCH /leads/{id}, ${hooks} filtered hooks`, median(ratios), {
    unit: `of the CPU time with ${hooks} plain ones`,
    rule: 'at most',
    goal: 1.3,
    note: noteOf(runs.filtered),
  });
}

const cpuOf = (measured: Measured | undefined): number =>
  (measured?.cpu ?? Number.NaN) + (measured?.databaseCpu ?? Number.NaN);

const rootOf = (port: number): string => `http://127.0.0.1:${port}/api/v1/public`;

/** Filters that every change of the first leads passes: two fields, and what is changed. */
async function wantedOf({ port }: RunningProcess, { key, leads }: BenchOrganization): Promise<object> {
  const used = new Set<string>();
  for (const lead of leads.slice(0, 100)) {
    const answer = await fetch(`${rootOf(port)}/leads/${lead}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: { pipeline: { id: string } } };
    used.add(data.pipeline.id);
  }
  return {
    filters: { pipeline_id: [...used, crypto.randomUUID()], status: ['open', 'won', 'lost'] },
    changed_fields: ['value', 'note'],
  };
}

async function subscribe(
  { port }: RunningProcess,
  { key }: BenchOrganization,
  receiver: number,
  wanted: object,
): Promise<void> {
  const response = await fetch(`${rootOf(port)}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ target_url: `http://127.0.0.1:${receiver}/`, event: 'lead.updated', ...wanted }),
  });
  if (response.status !== 201) throw new Error(`No hook: ${await response.text()}`);
}
