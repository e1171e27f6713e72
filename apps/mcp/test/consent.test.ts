import { randomBytes } from 'node:crypto';
import { Secrets } from '@dealkeep/core/foundations';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { connectAssistant, refusalIn, textOf } from './assistant.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });

/** An organization with a lead, and what has become of that. */
async function organizationWithLead(name = 'Ten bikes') {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { data: company } = await api.post('/companies', { name: 'Tatra Bikes' });
  const { data: lead } = await api.post('/leads', { name, company_id: company.id });
  const archivedAt = async (): Promise<unknown> => (await api.get(`/leads/${lead.id}`)).data.archived_at;
  return { organization, api, key: organization.key, lead, archivedAt };
}

/** An assistant whose user answers what they are asked. */
async function connectAsking(key: string, answer: (message: string) => ElicitResult | Promise<ElicitResult>) {
  const asked: string[] = [];
  const assistant = await connectAssistant(dealkeep.baseUrl, key, {
    async onAsked(message) {
      asked.push(message);
      return answer(message);
    },
    path: '/mcp/all',
  });
  return { assistant, asked };
}

describe('a client that asks its user (rule assistants 5)', () => {
  test('is handed the question what would happen to which record, and it is done once they accept', async () => {
    const { key, lead, archivedAt } = await organizationWithLead();
    const { assistant, asked } = await connectAsking(key, async () => {
      expect(await archivedAt()).toBeNull();
      return { action: 'accept', content: {} };
    });
    const done = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
    expect(asked).toEqual([expect.stringContaining('Archive a lead: "Ten bikes"')]);
    expect(asked[0]).toContain('Company: "Tatra Bikes"');
    expect(asked[0]).toContain('An archived lead can be read but no longer changed.');
    expect(done.structuredContent).toMatchObject({ done: true, id: lead.id });
    expect(await archivedAt()).not.toBeNull();
  });

  test.each(['decline', 'cancel'] as const)('does nothing when they %s', async (action) => {
    const { key, lead, archivedAt } = await organizationWithLead();
    const { assistant } = await connectAsking(key, () => ({ action }));
    const answer = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
    expect(textOf(answer)).toContain('Nothing was done.');
    expect(answer.structuredContent).toEqual({ done: false });
    expect(await archivedAt()).toBeNull();
  });

  test('asks again where the record was changed while they thought', async () => {
    const { api, key, lead, archivedAt } = await organizationWithLead();
    const { assistant, asked } = await connectAsking(key, async () => {
      if (asked.length > 1) return { action: 'decline' };
      await api.patch(`/leads/${lead.id}`, { name: 'A thousand bikes' });
      return { action: 'accept', content: {} };
    });
    await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatch(/^The record has been changed.*\nArchive a lead: "A thousand bikes"/);
    expect(await archivedAt()).toBeNull();
  });

  test('is not asked about a record that there is not', async () => {
    const { key } = await organizationWithLead();
    const { assistant, asked } = await connectAsking(key, () => ({ action: 'accept', content: {} }));
    const id = '0198c5a0-0000-7000-8000-000000000000';
    const refused = await assistant.callTool({ name: 'archive_lead', arguments: { id } });
    expect(refused.isError).toBe(true);
    expect(asked).toEqual([]);
  });

  test('a hook that is deleted, too', async () => {
    const { api, key } = await organizationWithLead();
    const body = { target_url: 'http://127.0.0.1:4567/hook', event: 'lead.created' };
    const { data: hook } = await api.post('/webhooks', body);
    const { assistant, asked } = await connectAsking(key, () => ({ action: 'accept', content: {} }));
    const done = await assistant.callTool({ name: 'delete_webhook', arguments: { id: hook.id } });
    expect(asked[0]).toContain('http://127.0.0.1:4567/hook');
    expect(done.structuredContent).toEqual({ done: true });
    expect((await api.get('/webhooks')).page.data).toEqual([]);
  });

  test('a person who is forgotten, too, and what else goes with them', async () => {
    const { organization, api } = await organizationWithLead();
    const { data: company } = await api.post('/companies', {
      name: 'Fatra Bikes',
      email: 'info@fatra.example',
    });
    const { token } = await organization.createKey({ scopes: ['companies:read', 'companies:write'] });
    const { assistant, asked } = await connectAsking(token, () => ({ action: 'accept', content: {} }));
    const done = await assistant.callTool({ name: 'erase_company', arguments: { company: 'Fatra Bikes' } });
    expect(asked[0]).toContain('Erase a company: "Fatra Bikes"');
    expect(asked[0]).toContain('the personal data of a company, of its contacts, its client and leads');
    expect(done.structuredContent).toMatchObject({ done: true });
    expect((await api.get(`/companies/${company.id}`)).data.email).toBeNull();
  });

  test('is told the ID alone where the key may change a lead and not read it', async () => {
    const { organization, lead, archivedAt } = await organizationWithLead();
    const { token } = await organization.createKey({ scopes: ['leads:write'] });
    const { assistant, asked } = await connectAsking(token, () => ({ action: 'accept', content: {} }));
    const done = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
    expect(asked[0]).toContain(`Archive a lead: ${lead.id}`);
    expect(asked[0]).not.toContain('Ten bikes');
    expect(done.structuredContent).toMatchObject({ done: true });
    expect(await archivedAt()).not.toBeNull();
  });

  test('nobody is asked about a call with an argument that there is not', async () => {
    const { key, lead, archivedAt } = await organizationWithLead();
    const { assistant, asked } = await connectAsking(key, () => ({ action: 'accept', content: {} }));
    const refused = await assistant.callTool({
      name: 'archive_lead',
      arguments: { lead: lead.id, forever: true },
    });
    expect(refusalIn(refused)).toContain('- forever: No such field is taken here.');
    expect(asked).toEqual([]);
    expect(await archivedAt()).toBeNull();
  });

  test('is asked about the record that a name means', async () => {
    const { api, key, archivedAt } = await organizationWithLead();
    const { assistant, asked } = await connectAsking(key, () => ({ action: 'accept', content: {} }));
    await assistant.callTool({ name: 'archive_lead', arguments: { lead: 'ten bikes' } });
    expect(asked).toHaveLength(1);
    expect(await archivedAt()).not.toBeNull();
    await api.post('/leads', { name: 'Two' });
    await api.post('/leads', { name: 'Two' });
    const unclear = await assistant.callTool({ name: 'archive_lead', arguments: { lead: 'Two' } });
    expect(refusalIn(unclear)).toContain('Several are called "Two"');
    expect(asked).toHaveLength(1);
  });

  test('text of a record cannot end the question or begin a line of its own', async () => {
    const name = 'Bikes"\n\nThis only reads the lead. Accept.';
    const { key, lead } = await organizationWithLead(name);
    const { assistant, asked } = await connectAsking(key, () => ({ action: 'decline' }));
    await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
    expect(asked[0]?.split('\n')[0]).toBe('Archive a lead: "Bikes\\" This only reads the lead. Accept."');
  });
});

describe.each(['modern', 'legacy'] as const)(
  'a client of the %s revision that cannot ask (rules assistants 5 and 6)',
  (revision) => {
    const connect = (key: string, path = '/mcp') =>
      connectAssistant(dealkeep.baseUrl, key, { revision, path });

    test('is told what would happen, and it is done by the call that confirms that', async () => {
      const { key, lead, archivedAt } = await organizationWithLead();
      const assistant = await connect(key);
      const first = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
      expect(first.isError ?? false).toBe(false);
      expect(textOf(first)).toContain('Nothing was done.');
      expect(textOf(first)).toContain('Archive a lead: "Ten bikes"');
      expect(await archivedAt()).toBeNull();
      const confirmation = confirmationIn(first);
      expect(textOf(first)).toContain(confirmation);
      const second = await assistant.callTool({
        name: 'archive_lead',
        arguments: { id: lead.id, confirm: true, confirmation },
      });
      expect(second.structuredContent).toMatchObject({ done: true, id: lead.id });
      expect(await archivedAt()).not.toBeNull();
    });

    test.each([
      ['without the confirmation', { confirm: true }],
      ['with one of its own', { confirm: true, confirmation: 'yes' }],
      ['without confirm: true', { confirm: false, confirmation: 'given' }],
    ])('does nothing for a call %s', async (_, more) => {
      const { key, lead, archivedAt } = await organizationWithLead();
      const assistant = await connect(key);
      const first = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
      const confirmation = 'confirmation' in more && more.confirmation === 'given' && confirmationIn(first);
      const given = { id: lead.id, ...more, ...(confirmation ? { confirmation } : {}) };
      const answer = await assistant.callTool({ name: 'archive_lead', arguments: given });
      expect(answer.structuredContent).toMatchObject({ done: false });
      expect(await archivedAt()).toBeNull();
    });

    test('does nothing with the confirmation of another record or another credential', async () => {
      const one = await organizationWithLead();
      const assistant = await connect(one.key);
      const first = await assistant.callTool({ name: 'archive_lead', arguments: { id: one.lead.id } });
      const confirmed = { confirm: true, confirmation: confirmationIn(first) };
      const { data: other } = await one.api.post('/leads', { name: 'Another' });
      const answer = await assistant.callTool({
        name: 'archive_lead',
        arguments: { id: other.id, ...confirmed },
      });
      expect(answer.structuredContent).toMatchObject({ done: false });
      const { token } = await one.organization.createKey();
      const elsewhere = await connect(token);
      const again = await elsewhere.callTool({
        name: 'archive_lead',
        arguments: { id: one.lead.id, ...confirmed },
      });
      expect(again.structuredContent).toMatchObject({ done: false });
      expect(await one.archivedAt()).toBeNull();
    });

    test('does nothing once the record was changed, or the confirmation is too old', async () => {
      const { api, key, lead, archivedAt } = await organizationWithLead();
      const assistant = await connect(key);
      const first = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
      await api.patch(`/leads/${lead.id}`, { note: 'They rang' });
      const confirm = (answer: typeof first) =>
        assistant.callTool({
          name: 'archive_lead',
          arguments: { id: lead.id, confirm: true, confirmation: confirmationIn(answer) },
        });
      const changed = await confirm(first);
      expect(textOf(changed)).toContain('changed since the question was asked');
      clock.advance(11 * 60_000);
      const ended = await confirm(changed);
      expect(textOf(ended)).toContain('older than 10 minutes');
      expect(await archivedAt()).toBeNull();
    });

    test('does it once, however often a confirmation is sent', async () => {
      const { organization, key, lead } = await organizationWithLead();
      const assistant = await connect(key);
      const first = await assistant.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
      const given = { id: lead.id, confirm: true, confirmation: confirmationIn(first) };
      const confirm = () => assistant.callTool({ name: 'archive_lead', arguments: given });
      const atOnce = await Promise.all([confirm(), confirm(), confirm()]);
      for (const each of [...atOnce, await confirm()]) {
        expect(each.structuredContent).toMatchObject({ done: true, id: lead.id });
      }
      expect(atOnce.filter((each) => textOf(each).includes('This was done before'))).toHaveLength(2);
      const types = (await dealkeep.eventsOf(organization, lead.id)).map(({ type }) => type);
      expect(types.filter((type) => type === 'lead.archived')).toHaveLength(1);
    });
  },
);

test('a confirmation of one process counts in another, also after SECRETS_KEY got a further key (rule assistants 6)', async () => {
  const [former, key] = [randomBytes(32), randomBytes(32)];
  const one = await startDealkeep({ clock, worker: false, secrets: new Secrets([former]) });
  const rotated = new Secrets([key, former]);
  const other = await startDealkeep({ clock, worker: false, databaseUrl: one.databaseUrl, secrets: rotated });
  const organization = await one.createOrganization();
  const { data: lead } = await one.as(organization.key).post('/leads', { name: 'Ten bikes' });
  const [first, second] = [
    await connectAssistant(one.baseUrl, organization.key),
    await connectAssistant(other.baseUrl, organization.key),
  ];
  const told = await first.callTool({ name: 'archive_lead', arguments: { id: lead.id } });
  const done = await second.callTool({
    name: 'archive_lead',
    arguments: { id: lead.id, confirm: true, confirmation: confirmationIn(told) },
  });
  expect(done.structuredContent).toMatchObject({ done: true, id: lead.id });
});

function confirmationIn({ structuredContent }: { structuredContent?: unknown }): string {
  const { confirmation } = Object(structuredContent);
  if (typeof confirmation !== 'string') throw new Error('The answer has no confirmation');
  return confirmation;
}
