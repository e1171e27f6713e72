import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf } from './keys-of.ts';
import { act, ask, list, perform, type Setting } from './setting.ts';
import { makeZap, type Output } from './zap.ts';

type Pipeline = {
  id: string;
  name: string;
  stages: { id: string; name: string; kind: 'open' | 'won' | 'lost' }[];
};

/** A name that no other test uses. */
const unique = (name: string): string => `${name} ${randomUUID().slice(0, 8)}`;

/**
 * What the integration promises to a user, whether it runs from its sources or from the unzipped build. Each group asks
 * for a setting of its own, so that none uses up another's requests of the minute; its organization has a pipeline with
 * stages, as a new one has.
 */
export function itKeepsItsPromises(settingFor: () => Promise<Setting>): void {
  let setting: Setting;
  let pipeline: Pipeline;
  const zap = (trigger: string, inputData = {}) =>
    makeZap(setting.platform, setting.receiver, setting.connection, trigger, inputData);
  const stage = (kind: 'open' | 'won' | 'lost', index = 0) => {
    const found = pipeline.stages.filter((each) => each.kind === kind)[index];
    if (!found) throw new Error(`There is no ${kind} stage.`);
    return found;
  };
  const newLead = (body = {}) => ask(setting, 'POST', '/leads', { name: unique('Bikes'), ...body });
  const hooks = () => ask<{ id: string; target_url: string }[]>(setting, 'GET', '/webhooks');

  const describeApart = (name: string, tests: () => void) =>
    describe(name, () => {
      beforeAll(async () => {
        setting = await settingFor();
        const pipelines = await ask<(Pipeline & { is_default: boolean })[]>(setting, 'GET', '/pipelines');
        const chosen = pipelines.find(({ is_default: isDefault }) => isDefault);
        if (!chosen) throw new Error('The organization has no default pipeline.');
        pipeline = chosen;
      });
      tests();
    });

  describeApart('the connection', () => {
    test('is tested and labelled by the organization and the key, without a secret', async () => {
      const authData = setting.connection;
      const me = await setting.platform.run('authentication.test', { authData, meta: {} });
      const label = await setting.platform.run('authentication.connectionLabel', { authData, inputData: me });
      const { organization, token } = Object(me);
      expect(label).toBe(`${token.name} @ ${organization.name}`);
      expect(JSON.stringify(me)).not.toContain(authData.api_key);
    });

    test('with the bare address of the service works as well', async () => {
      const authData = { ...setting.connection, base_url: `${new URL(setting.connection.base_url).origin}/` };
      await expect(
        setting.platform.run('authentication.test', { authData, meta: {} }),
      ).resolves.toBeDefined();
    });

    test('with a wrong key asks to reconnect', async () => {
      const authData = { ...setting.connection, api_key: `dk_live_${'x'.repeat(43)}` };
      const run = setting.platform.run('authentication.test', { authData, meta: {} });
      await expect(run).rejects.toMatchObject({ name: 'ExpiredAuthError' });
    });
  });

  describeApart('a dropdown', () => {
    test('offers records by name', async () => {
      const name = unique('Dropdown');
      const company = await ask(setting, 'POST', '/companies', { name });
      const choices = await list(setting, 'triggers.list_companies', {}, { page: 0 });
      expect(choices).toContainEqual({ id: company['id'], name });
    });

    test('of stages follows the pipeline', async () => {
      const chosen = await list(setting, 'triggers.list_stages', { pipeline_id: pipeline.id }, { page: 0 });
      expect(chosen).toEqual(pipeline.stages.map(({ id, name }) => ({ id, name })));
      const all = await list(setting, 'triggers.list_stages', {}, { page: 0 });
      const { id, name } = stage('won');
      expect(all).toContainEqual({ id, name: `${pipeline.name}: ${name}` });
    });

    test('of contacts follows the company', async () => {
      const [one, other] = await Promise.all(
        ['One', 'Other'].map((name) => ask(setting, 'POST', '/companies', { name: unique(name) })),
      );
      const contact = await ask(setting, 'POST', '/contacts', { company_id: one?.['id'], name: 'Ján Kováč' });
      const chosen = await list(setting, 'triggers.list_contacts', { company_id: one?.['id'] }, { page: 0 });
      expect(chosen).toEqual([{ id: contact['id'], name: `Ján Kováč (${one?.['name']})` }]);
      expect(
        await list(setting, 'triggers.list_contacts', { company_id: other?.['id'] }, { page: 0 }),
      ).toEqual([]);
    });

    test.each(['list_users', 'list_pipelines', 'list_lead_origins', 'list_lost_reasons', 'list_leads'])(
      '%s answers choices with an id and a name, and ends after its last page',
      async (key) => {
        for (const choice of await list(setting, `triggers.${key}`, {}, { page: 0 })) {
          expect(choice).toEqual({ id: expect.any(String), name: expect.stringMatching(/./) });
        }
        expect(await list(setting, `triggers.${key}`, {}, { page: 1 })).toEqual([]);
      },
    );
  });

  describeApart('a Zap', () => {
    test('runs once for a delivery that is genuine, and not for one that was tampered with or sent again', async () => {
      const zapOfNewLeads = zap('lead_created');
      await zapOfNewLeads.turnOn();
      const lead = await newLead({ company: { name: unique('Žltý kôň') } });
      const delivery = await zapOfNewLeads.delivery();

      const tampered = { ...delivery, content: delivery.content.replace(String(lead['name']), 'Other') };
      expect(await zapOfNewLeads.runs(tampered)).toEqual([]);
      const [run] = await zapOfNewLeads.runs(delivery);
      expect(run).toMatchObject({ id: lead['id'], name: lead['name'], company: lead['company'] });
      expect(run?.['event_id']).toBe(JSON.parse(delivery.content).id);
      expect(await zapOfNewLeads.runs(delivery)).toEqual([]);
      await zapOfNewLeads.turnOff();
    });

    test('runs although the cache of the platform is down', async () => {
      const zapOfCompanies = zap('company_created');
      await zapOfCompanies.turnOn();
      await ask(setting, 'POST', '/companies', { name: unique('Cache') });
      const delivery = await zapOfCompanies.delivery();
      setting.platform.rpc.broken = true;
      try {
        expect(await zapOfCompanies.runs(delivery)).toHaveLength(1);
      } finally {
        setting.platform.rpc.broken = false;
      }
      await zapOfCompanies.turnOff();
    });

    test('has one hook however often it is turned on, and none after it was turned off', async () => {
      const zapOfContacts = zap('contact_created');
      await zapOfContacts.turnOn();
      const first = zapOfContacts.subscription['id'];
      await zapOfContacts.turnOn();
      const mine = (await hooks()).filter((hook) => hook.target_url === zapOfContacts.targetUrl);
      expect(mine.map(({ id }) => id)).toEqual([zapOfContacts.subscription['id']]);
      expect(mine[0]?.id).not.toBe(first);

      await zapOfContacts.turnOff();
      expect((await hooks()).filter((hook) => hook.target_url === zapOfContacts.targetUrl)).toEqual([]);
    });

    test('can be turned off when its hook is gone already', async () => {
      const zapOfContacts = zap('contact_updated');
      await zapOfContacts.turnOn();
      await zapOfContacts.turnOff();
      await expect(zapOfContacts.turnOff()).resolves.toBeUndefined();
    });

    test('leaves no hook behind when Zapier answers 410', async () => {
      const zapOfLeads = zap('lead_created');
      await zapOfLeads.turnOn();
      setting.receiver.gone(zapOfLeads.targetUrl);
      await newLead();
      await expect
        .poll(async () => (await hooks()).filter((hook) => hook.target_url === zapOfLeads.targetUrl), {
          timeout: 10_000,
        })
        .toEqual([]);
      await zapOfLeads.turnOff();
    });

    test('runs for the fields that it watches only', async () => {
      const company = await ask(setting, 'POST', '/companies', { name: unique('Watched') });
      const watching = zap('company_updated', { fields_to_watch: ['phone'] });
      const any = zap('company_updated');
      await watching.turnOn();
      await any.turnOn();
      await ask(setting, 'PATCH', `/companies/${company['id']}`, { note: 'Another note' });
      expect(await watching.runs(await watching.delivery())).toEqual([]);
      expect(await any.runs(await any.delivery())).toMatchObject([{ changed_fields: ['note'] }]);
      await ask(setting, 'PATCH', `/companies/${company['id']}`, { phone: '+421 900 000 001' });
      expect(await watching.runs(await watching.delivery())).toMatchObject([{ changed_fields: ['phone'] }]);
      await watching.turnOff();
      await any.turnOff();
    });

    test('runs for the stage that it waits for only', async () => {
      const [here, there] = [stage('open', 1), stage('won')];
      const waiting = zap('lead_stage_changed', { pipeline_id: pipeline.id, stage_id: there.id });
      await waiting.turnOn();
      const lead = await newLead({ pipeline_id: pipeline.id, stage_id: stage('open').id });
      await ask(setting, 'POST', `/leads/${lead['id']}/move`, { stage_id: here.id });
      expect(await waiting.runs(await waiting.delivery())).toEqual([]);
      await ask(setting, 'POST', `/leads/${lead['id']}/move`, { stage_id: there.id });
      const runs = await waiting.runs(await waiting.delivery());
      expect(runs).toMatchObject([{ id: lead['id'], stage: { id: there.id, kind: 'won' } }]);
      await waiting.turnOff();
    });

    test('for any event runs for the chosen ones', async () => {
      const chosen = zap('any_event', { events: ['contact.created', 'lead.archived'] });
      await chosen.turnOn();
      const lead = await newLead();
      await ask(setting, 'POST', `/leads/${lead['id']}/archive`, {});
      const runs = await chosen.runs(await chosen.delivery());
      expect(runs).toMatchObject([{ id: lead['id'], event_type: 'lead.archived', changed_fields: [] }]);
      await chosen.turnOff();
    });
  });

  describeApart('what a user maps fields from has the keys of a live delivery', () => {
    const triggers: Record<string, () => Promise<unknown>> = {
      lead_created: () => newLead(),
      lead_updated: async () =>
        ask(setting, 'PATCH', `/leads/${(await newLead())['id']}`, { note: 'Changed' }),
      lead_stage_changed: async () => moved(await newLead(), stage('open', 1).id),
      lead_won: async () => moved(await newLead(), stage('won').id),
      lead_lost: async () => moved(await newLead(), stage('lost').id),
      lead_archived: async () => ask(setting, 'POST', `/leads/${(await newLead())['id']}/archive`, {}),
      company_created: () => ask(setting, 'POST', '/companies', { name: unique('New') }),
      company_updated: async () =>
        ask(setting, 'PATCH', `/companies/${(await company())['id']}`, { note: 'x' }),
      contact_created: async () =>
        ask(setting, 'POST', '/contacts', { company_id: (await company())['id'], name: 'Eva' }),
      contact_updated: async () => {
        const contact = await ask(setting, 'POST', '/contacts', {
          company_id: (await company())['id'],
          name: 'Eva',
        });
        return ask(setting, 'PATCH', `/contacts/${contact['id']}`, { position: 'Buyer' });
      },
    };
    const company = () => ask(setting, 'POST', '/companies', { name: unique('Company') });
    const moved = (lead: Output, stageId: string) =>
      ask(setting, 'POST', `/leads/${lead['id']}/move`, { stage_id: stageId });

    test.each(Object.keys(triggers))('%s', async (key) => {
      const live = zap(key);
      await live.turnOn();
      await triggers[key]?.();
      const [run] = await live.runs(await live.delivery());
      const samples = await live.samples();
      expect(samples.length).toBeGreaterThan(0);
      const definition = Object(await setting.platform.definition());
      const keys = keysOf(definition.triggers[key].operation.sample);
      expect(keysOf(run)).toEqual(keys);
      for (const sample of samples) expect(keysOf(sample)).toEqual(keys);
      await live.turnOff();
    });
  });

  describeApart('an action', () => {
    test('creates a company, updates it and empties a field', async () => {
      const name = unique('Železničná');
      const created = await act(setting, 'create_company', {
        name,
        email: 'info@zel.example',
        phone: '1',
        city: 'Nitra',
      });
      expect(created).toMatchObject({ name, phone: '1', address: { city: 'Nitra', street: null } });
      const updated = await act(setting, 'update_company', {
        id: created['id'],
        note: 'New note',
        email: '',
        fields_to_clear: ['phone'],
      });
      expect(updated).toMatchObject({ name, note: 'New note', phone: null, email: 'info@zel.example' });
    });

    test('creates a contact and updates it', async () => {
      const company = await act(setting, 'create_company', { name: unique('Firm') });
      const contact = await act(setting, 'create_contact', {
        company_id: company['id'],
        name: 'Ján',
        is_primary: 'yes',
      });
      expect(contact).toMatchObject({ name: 'Ján', is_primary: true, company: { id: company['id'] } });
      expect(await act(setting, 'update_contact', { id: contact['id'], position: 'Owner' })).toMatchObject({
        position: 'Owner',
      });
    });

    test('creates a lead with its company and contact, moves it and archives it', async () => {
      const company = unique('Tatra');
      const lead = await act(setting, 'create_lead', {
        name: 'Bikes',
        value: '1250.50',
        expected_close_date: '2027-01-31T00:00:00+01:00',
        company__name: company,
        contact__name: 'Eva Malá',
        contact__email: 'eva@tatra.example',
      });
      expect(lead).toMatchObject({
        value: 1250.5,
        expected_close_date: '2027-01-31',
        company: { name: company },
        contact: { name: 'Eva Malá', email: 'eva@tatra.example' },
        deduplicated: false,
      });
      const again = await act(setting, 'create_lead', { dedupe: 'company', company__name: company });
      expect(again).toMatchObject({ id: lead['id'], deduplicated: true });

      const won = await act(setting, 'move_lead', {
        id: lead['id'],
        pipeline_id: pipeline.id,
        stage_id: stage('won').id,
      });
      expect(won).toMatchObject({ status: 'won', stage: { kind: 'won' } });
      expect(await act(setting, 'update_lead', { id: lead['id'], note: 'Paid' })).toMatchObject({
        note: 'Paid',
      });
      expect(await act(setting, 'archive_lead', { id: lead['id'] })).toMatchObject({
        archived_at: expect.any(String),
      });
    });

    test('that the record does not allow stops the Zap and says why', async () => {
      const lead = await newLead();
      await act(setting, 'archive_lead', { id: lead['id'] });
      const run = act(setting, 'update_lead', { id: lead['id'], note: 'x' });
      await expect(run).rejects.toMatchObject({
        name: 'HaltedError',
        message: expect.stringMatching(/archived.*\.$/),
      });
    });

    test('with wrong values names the fields by their labels', async () => {
      const run = act(setting, 'create_lead', {
        value: 'a lot',
        stage_id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812',
        company__email: 'nobody',
        company__name: 'Firm',
      });
      const message = await run.then(
        () => '',
        (error: Error) => JSON.parse(error.message).message,
      );
      expect(message).toContain('Value: ');
      expect(message).toContain('Company Email: ');
      expect(message).not.toMatch(/422|VALIDATION|stage_id|company\.email/);
    });

    test('on a record that is not chosen, or gone, says so', async () => {
      await expect(act(setting, 'move_lead', { id: '', stage_id: stage('won').id })).rejects.toThrow(
        'Nothing is chosen',
      );
      const unknown = act(setting, 'update_company', { id: randomUUID(), note: 'x' });
      await expect(unknown).rejects.toThrow('no such record');
    });
  });

  describeApart('a search', () => {
    test('finds a record in the form of a trigger, and nothing as an empty list', async () => {
      const name = unique('Search');
      const made = await act(setting, 'create_company', { name, registration_id: '12345678' });
      const [found] = await list(setting, 'searches.find_company', { q: name.toUpperCase() });
      expect(found).toEqual(made);
      expect(await list(setting, 'searches.find_company', { q: unique('Nobody') })).toEqual([]);
    });

    test('prefers the record that is what was searched for, and can insist on it', async () => {
      const name = unique('Exact');
      const exact = await act(setting, 'create_company', { name });
      await act(setting, 'create_company', { name: `${name} Holding` });
      expect(await list(setting, 'searches.find_company', { q: name })).toMatchObject([{ id: exact['id'] }]);
      const part = name.slice(0, -1);
      expect(await list(setting, 'searches.find_company', { q: part })).toHaveLength(1);
      expect(await list(setting, 'searches.find_company', { q: part, match: 'exact' })).toEqual([]);
    });

    test('finds contacts by e-mail, leads by company and users by name', async () => {
      const email = `${randomUUID().slice(0, 8)}@search.example`;
      const lead = await act(setting, 'create_lead', {
        company__name: unique('By'),
        contact__name: 'Eva',
        contact__email: email,
      });
      expect(await list(setting, 'searches.find_contact', { email })).toMatchObject([{ email }]);
      const companyId = Object(lead['company']).id;
      expect(await list(setting, 'searches.find_lead', { company_id: companyId })).toMatchObject([
        { id: lead['id'] },
      ]);
      const [user] = await ask<{ id: string; email: string }[]>(setting, 'GET', '/users');
      expect(await list(setting, 'searches.find_user', { email: user?.email })).toMatchObject([
        { id: user?.id },
      ]);
    });

    test('without anything to search by says so', async () => {
      await expect(perform(setting, 'searches.find_lead', { q: '' })).rejects.toThrow('at least one field');
    });

    test('that finds nothing is followed by the action that it is paired with', async () => {
      const definition = Object(await setting.platform.definition());
      const { search, create } = definition.searchOrCreates.find_company;
      const name = unique('Pair');
      expect(await list(setting, `searches.${search}`, { q: name })).toEqual([]);
      const made = await act(setting, create, { name });
      expect(await list(setting, `searches.${search}`, { q: name })).toEqual([made]);
    });
  });
}
