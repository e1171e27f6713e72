import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

/** The failing fields of an answer by their paths. */
export const failing = ({ error }: { error: { detail?: unknown } }): Record<string, string> =>
  Object.fromEntries(
    (Object(error.detail).fields as { path: string; code: string }[]).map(({ path, code }) => [path, code]),
  );

const kinds = {
  company: ['/companies', { name: 'Acme' }],
  lead: ['/leads', { name: 'Acme' }],
} as const;

/** What records of a kind do with their tags. */
export function tryTags(kind: keyof typeof kinds): void {
  const [path, least] = kinds[kind];

  describe(`tags of a ${kind}`, () => {
    test('are written on create, and a tag that does not exist is made', async () => {
      const { api, organization } = await openBusiness(dealkeep);
      await inConsole(dealkeep.core, organization, 'tags.add', { name: 'VIP' });
      const made = await api.post(path, { ...least, tags: ['VIP', 'Nový', 'vip', 'nový'] });
      expect([made.status, made.data.tags]).toEqual([201, ['VIP', 'Nový']]);
      expect((await api.get(`${path}/${made.data.id}`)).text).toBe(made.text);
      const names = (await api.get('/tags', { sort: 'name' })).page.data.map(({ name }) => name);
      expect(names).toEqual(['Nový', 'VIP']);
      const [event] = await dealkeep.eventsOf(organization);
      expect([event?.type, event?.data]).toEqual([`${kind}.created`, made.data]);
    });

    test('tags replaces the whole set on update, and tells it once', async () => {
      const { api, organization } = await openBusiness(dealkeep);
      const { id } = (await api.post(path, { ...least, tags: ['A', 'B'] })).data;
      expect((await api.patch(`${path}/${id}`, { tags: ['B', 'C'] })).data.tags).toEqual(['B', 'C']);
      expect((await api.patch(`${path}/${id}`, { tags: [] })).data.tags).toEqual([]);
      const events = await dealkeep.eventsOf(organization);
      expect(events.map(({ type }) => type)).toEqual([
        `${kind}.created`,
        `${kind}.updated`,
        `${kind}.updated`,
      ]);
      expect(events[1]).toMatchObject({ changed_fields: ['tags'] });
    });

    test('add_tags and remove_tags change the set, and what they do not name stays', async () => {
      const { api } = await openBusiness(dealkeep);
      const { id } = (await api.post(path, { ...least, tags: ['A', 'B'] })).data;
      const changed = await api.patch(`${path}/${id}`, {
        add_tags: ['C', 'a'],
        remove_tags: ['B', 'Unknown'],
      });
      expect(changed.data.tags).toEqual(['A', 'C']);
      expect((await api.patch(`${path}/${id}`, { note: 'x' })).data.tags).toEqual(['A', 'C']);
    });

    test('add_tags and remove_tags do not stand beside tags, nor on create', async () => {
      const { api } = await openBusiness(dealkeep);
      const { id } = (await api.post(path, least)).data;
      const both = await api.patch(`${path}/${id}`, { tags: ['A'], add_tags: ['B'], remove_tags: ['C'] });
      expect(failing(both)).toEqual({ add_tags: 'either', remove_tags: 'either' });
      const created = await api.post(path, { ...least, add_tags: ['A'], remove_tags: ['A'] });
      expect(failing(created)).toEqual({ add_tags: 'unknown', remove_tags: 'unknown' });
      expect((await api.get('/tags')).page.data).toEqual([]);
    });

    test('are at most 50, however they come', async () => {
      const { api } = await openBusiness(dealkeep);
      const tags = Array.from({ length: 50 }, (_, number) => `Tag ${number}`);
      const { id } = (await api.post(path, { ...least, tags })).data;
      expect((await api.get(`${path}/${id}`)).data.tags).toHaveLength(50);
      expect(failing(await api.post(path, { ...least, tags: [...tags, 'More'] }))).toEqual({
        tags: 'too_many',
      });
      expect(failing(await api.patch(`${path}/${id}`, { add_tags: ['More'] }))).toEqual({
        add_tags: 'too_many_tags',
      });
      expect((await api.get('/tags', { q: 'More' })).page.data).toEqual([]);
    });

    test('an organization can forbid in its settings that programs make tags', async () => {
      const { api, organization } = await openBusiness(dealkeep);
      await inConsole(dealkeep.core, organization, 'tags.add', { name: 'VIP' });
      await inConsole(dealkeep.core, organization, 'organizations.update', { makes_tags: false });
      const refused = await api.post(path, { ...least, tags: ['VIP', 'Nový'] });
      expect([refused.status, failing(refused)]).toEqual([422, { 'tags[1]': 'no_such_tag' }]);
      const { id } = (await api.post(path, { ...least, tags: ['VIP'] })).data;
      expect(failing(await api.patch(`${path}/${id}`, { add_tags: ['Nový'] }))).toEqual({
        'add_tags[0]': 'no_such_tag',
      });
      expect((await api.get('/tags')).page.data.map(({ name }) => name)).toEqual(['VIP']);
    });

    test('a tag is not left behind by a change that is refused', async () => {
      const { api, organization } = await openBusiness(dealkeep);
      const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
      expect((await api.post(path, { ...least, tags: ['New'], owner_id: nobody })).status).toBe(422);
      expect((await api.patch(`${path}/${nobody}`, { tags: ['New'] })).outcome).toBe('404 NOT_FOUND');
      const { id } = (await api.post(path, least)).data;
      const refused = await api.patch(`${path}/${id}`, { add_tags: ['New'], owner_id: nobody });
      expect(failing(refused)).toEqual({ owner_id: 'not_found' });
      expect((await api.get('/tags')).page.data).toEqual([]);
      // What memory holds is what the database holds.
      await inConsole(dealkeep.core, organization, 'tags.add', { name: 'New' });
      expect((await api.patch(`${path}/${id}`, { add_tags: ['new'] })).data.tags).toEqual(['New']);
    });

    test('no more than 1000 are made in an organization; what is there can be given all the same', async () => {
      const { api, organization } = await openBusiness(dealkeep);
      await dealkeep.sql.begin(async (tx) => {
        await tx`
          insert into tags (organization_id, id, name, created_at, updated_at)
          select ${organization.id}, gen_random_uuid(), 'Tag ' || n, now(), now() from generate_series(1, 998) n`;
        await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
      });
      const count = async () =>
        (await dealkeep.sql`select from tags where organization_id = ${organization.id}`).length;
      const { id } = (await api.post('/companies', { name: 'Acme', tags: ['Tag 1', 'New 999'] })).data;
      const refused = await api.post('/leads', { name: 'Bikes', tags: ['New 1000', 'New 1001', 'Tag 2'] });
      expect(refused.fields).toEqual({ tags: 'tags_used_up' });
      expect(refused.error.message).toContain('tags');
      const patched = await api.patch(`/companies/${id}`, {
        email: 'no',
        add_tags: ['New 1000', 'New 1001'],
      });
      expect(patched.fields).toEqual({ add_tags: 'tags_used_up', email: 'invalid_email' });
      expect(await count()).toBe(999);
      // Two at the same moment cannot both make the last one.
      const both = await Promise.all(
        ['One', 'Two'].map((tag) => api.post('/companies', { name: tag, tags: [tag] })),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
      expect(await count()).toBe(1000);
      expect((await api.patch(`/companies/${id}`, { tags: ['tag 7', 'NEW 999'] })).status).toBe(200);
      expect((await api.patch(`/companies/${id}`, { tags: ['Another'] })).fields).toEqual({
        tags: 'tags_used_up',
      });
    });

    test('many at once with one new tag make it once', async () => {
      const { api } = await openBusiness(dealkeep);
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, number) =>
          api.post(path, { name: `${number}`, tags: ['Web', 'Fair'] }),
        ),
      );
      expect(made.map(({ status, data }) => [status, data.tags])).toEqual(
        made.map(() => [201, ['Web', 'Fair']]),
      );
      expect((await api.get('/tags', { sort: 'name' })).page.data.map(({ name }) => name)).toEqual([
        'Fair',
        'Web',
      ]);
      expect((await api.get(path, { tag: 'Fair' })).page.data).toHaveLength(12);
    });

    test('lists are filtered by tag', async () => {
      const { api } = await openBusiness(dealkeep);
      const { id } = (await api.post(path, { ...least, tags: ['A'] })).data;
      await api.post(path, { ...least, tags: ['B'] });
      expect((await api.get(path, { tag: 'A' })).page.data.map((each) => each.id)).toEqual([id]);
    });

    test('a name that is empty, too long or no text is refused by its place', async () => {
      const { api } = await openBusiness(dealkeep);
      const tags = ['', 'x'.repeat(256), 5, null, 'a\0'];
      expect(failing(await api.post(path, { ...least, tags }))).toEqual({
        'tags[0]': 'empty',
        'tags[1]': 'too_long',
        'tags[2]': 'invalid_type',
        'tags[3]': 'required',
        'tags[4]': 'invalid_characters',
      });
    });
  });
}
