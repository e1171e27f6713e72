import { randomUUIDv7 } from 'node:crypto';
import { severalServers } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { change } from '../../src/change/verb/change.ts';

// What goes to records and what goes to everything else are two statements where records are distributed. Any
// PostgreSQL runs both, so they are tried and judged (`npm run check:statements`) on this one.
const dealkeep = await startDealkeep({ worker: false, placement: severalServers });

async function open() {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const hook: string = (
    await api.post('/webhooks', { target_url: 'https://127.0.0.1/hook', event: 'lead.created' })
  ).data.id;
  return { organization, api, hook };
}

const deliveriesOf = (hook: string) =>
  dealkeep.sql`select event_id from deliveries where webhook_id = ${hook}`;

describe('a change where records are distributed', () => {
  test('writes the record, its event, what is due of that, and the answer that a repeat gets', async () => {
    const { organization, api, hook } = await open();
    const create = (key: string) =>
      api.post('/leads', { name: 'Lead', company: { name: 'Acme' } }, { 'Idempotency-Key': key });
    const key = randomUUIDv7();
    const made = await create(key);
    expect(made.status).toBe(201);
    const events = await dealkeep.eventsOf(organization, made.data.id);
    expect(events.map(({ type }) => type)).toEqual(['lead.created']);
    expect(await deliveriesOf(hook)).toEqual([{ event_id: events[0]?.id }]);
    const repeated = await create(key);
    expect(repeated.data).toEqual(made.data);
    expect(await deliveriesOf(hook)).toHaveLength(1);
  });

  test('leaves nothing where what it relied on is another by now, and is made again with that', async () => {
    const { organization, hook } = await open();
    const versions: number[] = [];
    await change(
      dealkeep.core,
      { organization: { id: organization.id, slug: organization.slug }, now: new Date().toISOString() },
      async (changing) => {
        const referenceData = await changing.referenceData();
        const id = randomUUIDv7();
        if (versions.length === 0)
          await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
        changing.emit('lead.created', { id });
        versions.push(referenceData.version);
      },
    );
    expect(versions).toHaveLength(2);
    expect(await dealkeep.eventsOf(organization)).toHaveLength(1);
    expect(await deliveriesOf(hook)).toHaveLength(1);
  });

  test('leaves no event and no delivery where nothing is written of its record', async () => {
    const { organization, hook } = await open();
    const asked = {
      organization: { id: organization.id, slug: organization.slug },
      now: new Date().toISOString(),
    };
    const changed = change(dealkeep.core, asked, async (changing) => {
      changing.emit('lead.created', { id: randomUUIDv7() });
      await changing.write(changing.sql`written as (select 1 where false)`);
    });
    await expect(changed).rejects.toThrow('Nothing was written');
    expect(await dealkeep.eventsOf(organization)).toEqual([]);
    expect(await deliveriesOf(hook)).toEqual([]);
  });
});
