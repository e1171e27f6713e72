import { type BenchOrganization, wire } from './business.ts';
import { type Figure, figure, median } from './figures.ts';
import { type Measured, measure, noteOf, type Target } from './measure.ts';
import { numberMark } from './numbered.ts';
import { startRole } from './processes.ts';
import { type Bench, postmasterOf } from './ratios.ts';
import { writesOf } from './targets.ts';

const size = 100;
const contacts = 10_000;

/**
 * What batches save: the same companies one by one and a hundred at once, in turns; and many contacts, one after
 * another.
 */
export async function measureBatches({ url, sql, load, businesses, scale, say }: Bench): Promise<Figure[]> {
  const api = await startRole('api', 4715, {
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const postmaster = await postmasterOf(sql);
  const single: Target = { processes: [api], postmaster, requests: writesOf(businesses).company };
  const batch: Target = { ...single, requests: businesses.map(batchOf) };
  const milliseconds = scale < 1 ? 1000 : 2000;
  const rounds = scale < 1 ? 5 : 15;
  const runs: { single: Measured; batch: Measured }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds} of batches …`);
    const pair = {
      single: await measure(load, single, milliseconds),
      batch: await measure(load, batch, milliseconds),
    };
    if (round > 0) runs.push(pair);
  }
  const seconds = await secondsOfContacts(api.port, businesses[0]);
  await api.stop();
  const ratio = median(runs.map((run) => (run.batch.perSecond * size) / run.single.perSecond));
  return [
    figure(`POST /companies/batch of ${size}, a key`, ratio, {
      unit: 'of the records a second of POST /companies',
      rule: 'at least',
      goal: 5,
      note: `${noteOf(runs.map((run) => run.batch))}; single ${noteOf(runs.map((run) => run.single))}`,
    }),
    figure(`${contacts} contacts by batches, one after another`, seconds, {
      unit: 's',
      rule: 'at most',
      goal: 60,
    }),
  ];
}

/** As those that are created one by one. */
const batchOf = ({ key }: BenchOrganization): string => {
  const items = Array.from({ length: size }, (_, index) => ({
    name: `Acme ${index} ${numberMark}`,
    email: `office-${index}-${numberMark}@acme.example`,
    registration_id: numberMark,
  }));
  return wire('POST', '/companies/batch', key, { operation: 'create', items }, numberMark);
};

/** How long one program takes that waits for each batch. */
async function secondsOfContacts(port: number, business: BenchOrganization | undefined): Promise<number> {
  if (!business) throw new Error('There is no organization');
  const { key, companies } = business;
  const started = performance.now();
  for (let sent = 0; sent < contacts; sent += size) {
    const items = Array.from({ length: size }, (_, index) => ({
      company_id: companies[(sent + index) % companies.length],
      name: `Eva ${sent + index}`,
      email: `eva-${sent + index}@acme.example`,
    }));
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/public/contacts/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `contacts ${started} ${sent}`,
      },
      body: JSON.stringify({ operation: 'create', items }),
    });
    const { data } = (await response.json()) as { data: { status: number }[] };
    const refused = data.filter(({ status }) => status !== 201);
    if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused.slice(0, 3))}`);
  }
  return (performance.now() - started) / 1000;
}
