import { oauthScopes } from '@dealkeep/contract';
import { Browser, eventually } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { askPerson, authorize, exchange } from '../platform/authorize.ts';
import { connectByOauth } from '../platform/connect.ts';
import { type Connection, refresh } from '../platform/connection.ts';
import { failureOf } from '../platform/failure.ts';
import type { HookReceiver } from '../platform/hook-receiver.ts';
import type { Platform } from '../platform/platform.ts';
import type { Organization, Service } from '../platform/service.ts';
import { makeWorld, unique, type World } from './world.ts';

/** A service, the published integration, and the side of Zapier that receives deliveries. */
export interface Day {
  readonly service: Service;
  readonly platform: Platform;
  readonly receiver: HookReceiver;
}

/** What Zapier does with one account from its connection to its end, and what the API really answers. */
export function aDayInZapiersLife(dayOf: () => Day): void {
  let day: Day;
  let organization: Organization;
  let world: World;
  const worldOf = async (connection: Connection): Promise<World> => {
    const made = makeWorld(async () => ({ ...day, connection }));
    await made.open();
    return made;
  };
  const connect = () => connectByOauth(day.service, day.platform, organization);
  const testAccount = (authData: object) => day.platform.run('authentication.test', { authData, meta: {} });

  beforeAll(async () => {
    day = dayOf();
    organization = await day.service.createOrganization();
    world = await worldOf(await connect());
  });

  describe('the account', () => {
    test('is connected by agreeing to what the integration needs, and named after person and organization', async () => {
      const { platform, connection } = world;
      const inputData = { state: 'x', redirect_uri: 'https://zapier.com/back' };
      const address = String(await platform.run('authentication.oauth2Config.authorizeUrl', { inputData }));
      const { scopes } = Object(Object(await testAccount(connection.authData)).token);
      expect(new URL(address).searchParams.get('scope')?.split(' ').sort()).toEqual(oauthScopes.toSorted());
      expect([...scopes].sort()).toEqual(oauthScopes.toSorted());
      expect(address).not.toContain(platform.environment['CLIENT_SECRET']);

      const inputOfLabel = await testAccount(connection.authData);
      const label = await platform.run('authentication.connectionLabel', { inputData: inputOfLabel });
      const { name } = Object(Object(inputOfLabel).organization);
      expect(label).toBe(`Jana Horváthová @ ${name}`);
      expect(Object.keys(connection.authData).sort()).toEqual(['access_token', 'refresh_token']);
    });

    test('is not connected when the person does not agree', async () => {
      const { said } = await askPerson(day.platform, organization.ownerEmail, 'deny');
      expect(said.get('error')).toBe('access_denied');
      expect(said.has('code')).toBe(false);
    });

    test('is not connected by a code with another verifier, nor by one that was used before', async () => {
      const answer = await askPerson(day.platform, organization.ownerEmail);
      const expired = { name: 'AppError', message: 'The sign-in has expired. Connect the account again.' };
      const stolen = { ...answer, verifier: 'a'.repeat(43) };
      expect(await failureOf(exchange(day.platform, stolen))).toMatchObject(expired);

      const once = await askPerson(day.platform, organization.ownerEmail);
      await exchange(day.platform, once);
      expect(await failureOf(exchange(day.platform, once))).toMatchObject(expired);
    });

    test('gets both tokens anew at each refresh', async () => {
      const { connection, platform } = world;
      const before = { ...connection.authData };
      await refresh(platform, connection);
      expect(connection.authData['access_token']).not.toBe(before['access_token']);
      expect(connection.authData['refresh_token']).not.toBe(before['refresh_token']);
      await expect(testAccount(connection.authData)).resolves.toBeDefined();
    });
  });

  describe('a Zap', () => {
    test('runs for a live delivery, and neither for one that was replayed nor for one that was tampered with', async () => {
      const zap = world.zap('lead_created');
      await zap.turnOn();
      const lead = await world.newLead({ company: { name: unique('Žltý kôň') } });
      const live = await zap.delivery();
      const tampered = { ...live, content: live.content.replace(String(lead['name']), 'Other') };
      expect(await zap.runs(tampered)).toEqual([]);
      expect(await zap.runs(live)).toMatchObject([{ id: lead['id'], company: lead['company'] }]);

      // A delivery can be sent again as soon as it is in the log.
      const again = () => day.service.replay(String(zap.subscription['id']));
      await expect.poll(again, { timeout: 10_000 }).toBe(1);
      const replayed = await zap.delivery();
      expect(replayed.headers['Http-Webhook-Signature']).toBeDefined();
      expect(await zap.runs(replayed)).toEqual([]);
      await zap.turnOff();
    });

    test('whose access ends between two steps goes on after a refresh, its hook with it', async () => {
      const { connection, platform } = world;
      const zap = world.zap('company_created');
      await zap.turnOn();
      const name = unique('Mid-Zap');
      const { id } = await world.act('create_company', { name });
      await day.service.endAccessToken(String(connection.authData['access_token']));

      const step = 'creates.update_company.operation.perform';
      const ended = { ...connection.authData };
      const run = () => platform.run(step, { authData: ended, inputData: { id, note: 'x' }, meta: {} });
      expect((await eventually(() => failureOf(run()))).name).toBe('RefreshAuthError');
      expect(await world.act('update_company', { id, note: 'After the refresh' })).toMatchObject({ name });
      expect(connection.authData).not.toEqual(ended);
      expect(await zap.runs(await zap.delivery())).toMatchObject([{ id }]);
      await zap.turnOff();
    });

    test('that has to ask for names when its access has ended runs with them all the same', async () => {
      const client = await world.some('/clients');
      const zap = world.zap('order_created');
      await zap.turnOn();
      const items = [{ sku: 'SERVICE', quantity: 1, unit_price: 10 }];
      await world.ask('POST', '/orders', { customer: { client_uuid: client['id'] }, items });
      await day.service.endAccessToken(String(world.connection.authData['access_token']));
      const { name } = Object(client['company']);
      expect(await zap.runs(await zap.delivery())).toMatchObject([{ client_name: name }]);
      await zap.turnOff();
    });

    test('can be turned off twice, and when its hook is gone already', async () => {
      const zap = world.zap('contact_created');
      await zap.turnOn();
      await zap.turnOff();
      await expect(zap.turnOff()).resolves.toBeUndefined();
      expect((await world.hooks()).map((hook) => hook.target_url)).not.toContain(zap.targetUrl);
    });

    test('that Zapier has forgotten answers 410, and its hook goes', async () => {
      const zap = world.zap('lead_created');
      await zap.turnOn();
      world.receiver.gone(zap.targetUrl);
      await world.newLead();
      const targets = async () => (await world.hooks()).map((hook) => hook.target_url);
      await expect.poll(targets, { timeout: 10_000 }).not.toContain(zap.targetUrl);
      await expect(zap.turnOff()).resolves.toBeUndefined();
    });
  });

  describe('a step', () => {
    test('beyond the limit of requests waits as long as the API says', async () => {
      await organization.setRequestsPerMinute(1);
      try {
        const failure = await eventually(() =>
          failureOf(world.act('create_company', { name: unique('Many') })),
        );
        expect(failure).toMatchObject({
          name: 'ThrottledError',
          message: expect.stringMatching(/^Too many requests\. Try again in \d+ s\.$/),
        });
        expect(failure.message).toContain(` ${failure.delay} s`);
        expect(failure.delay).toBeGreaterThan(0);
        expect(failure.delay).toBeLessThanOrEqual(60);
      } finally {
        await organization.setRequestsPerMinute(6000);
        await eventually(() => testAccount(world.connection.authData));
      }
    });

    test('of an organization whose subscription has lapsed says what to do, and goes on once it is renewed', async () => {
      const zap = world.zap('company_created');
      await zap.turnOn();
      await organization.setSubscription('lapsed');
      try {
        await eventually(() => failureOf(testAccount(world.connection.authData)));
        expect(await failureOf(world.act('create_company', { name: unique('Lapsed') }))).toEqual({
          name: 'AppError',
          message: 'The subscription of the organization is not active. Renew it to go on.',
          delay: undefined,
        });
      } finally {
        await organization.setSubscription('active');
        await eventually(() => testAccount(world.connection.authData));
      }
      const { id } = await world.act('create_company', { name: unique('Renewed') });
      expect(await zap.runs(await zap.delivery())).toMatchObject([{ id }]);
      await zap.turnOff();
    });

    test('that the role of the person does not permit names the permission', async () => {
      const { email } = await organization.createPerson('companies.view=all');
      const authData = await authorize(day.platform, email);
      const { apiKey, baseUrl } = world.connection;
      const limited = await worldOf({ authData, apiKey, baseUrl });
      const lacking = (permission: RegExp) => ({
        name: 'AppError',
        message: expect.stringMatching(permission),
      });
      const create = limited.act('create_company', { name: unique('Firm') });
      expect(await failureOf(create)).toMatchObject(
        lacking(
          /^Your role .* lacks the permission companies\.(edit|create)\. Ask an owner to add it to the role\.$/,
        ),
      );
      const turnOn = limited.zap('lead_created').turnOn();
      expect(await failureOf(turnOn)).toMatchObject(lacking(/lacks the permission leads\.view\./));
      const name = String((await world.act('create_company', { name: unique('Seen') }))['name']);
      expect(await limited.list('searches.find_company', { q: name })).toMatchObject([{ name }]);
    });

    test('that the state of the record does not allow stops the Zap without an alarm', async () => {
      const { id } = await world.newLead();
      await world.act('archive_lead', { id });
      expect(await failureOf(world.act('update_lead', { id, note: 'x' }))).toMatchObject({
        name: 'HaltedError',
        message: 'The lead is archived and cannot be changed.',
      });
    });

    test('with wrong values names the fields as the person sees them', async () => {
      const values = { value: 'a lot', company__name: 'Firm', company__email: 'nobody' };
      const { name, message } = await failureOf(world.act('create_lead', values));
      expect(name).toBe('AppError');
      expect(message).toMatch(/Value: .*Company Email: /);
    });
  });

  describe('what a running Zap was set to', () => {
    const chooseAnother =
      'There is no such record in this organization. It may have been deleted: choose another one.';
    const lists = '/settings/lists';
    const save = { do: 'save' };
    let owner: Browser;

    beforeAll(async () => {
      owner = new Browser(new URL(world.connection.baseUrl));
      await owner.signInAs(organization.ownerEmail);
    });
    /** Adds a pipeline with the usual stages in the console. */
    async function newPipeline() {
      const name = unique('Retail');
      const path = `${lists}/pipelines/new`;
      expect((await owner.fill(path, path, { name, ...save })).status).toBe(303);
      const all = await world.ask<{ id: string; name: string; stages: { id: string }[] }[]>(
        'GET',
        '/pipelines',
      );
      const made = all.find((each) => each.name === name);
      const [first, second] = made?.stages ?? [];
      if (!made || !first || !second) throw new Error(`${name} has no stages.`);
      return { id: made.id, first: first.id, second: second.id };
    }
    const remove = async (path: string) => {
      const address = `${lists}/${path}/remove`;
      expect((await owner.fill(address, address, save)).status).toBe(303);
    };

    test('is a stage that was deleted: steps say to choose another one, the trigger waits in peace', async () => {
      const { id: pipeline_id, first, second } = await newPipeline();
      const zap = world.zap('lead_stage_changed', { pipeline_id, stage_id: second });
      await zap.turnOn();
      const { id } = await world.newLead({ stage_id: first });
      await remove(`pipelines/${pipeline_id}/stages/${second}`);

      const move = world.act('move_lead', { id, pipeline_id, stage_id: second });
      expect((await failureOf(move)).message).toBe(`Stage: ${chooseAnother}`);
      expect(await zap.samples()).toHaveLength(1);
      await zap.turnOn();
      await zap.turnOff();
      const shown = await world.list('triggers.list_stages', { pipeline_id }, { page: 0 });
      expect(shown.map((stage) => stage['id'])).not.toContain(second);
    });

    test('is a pipeline that was closed: steps say to choose another one', async () => {
      const { id, first } = await newPipeline();
      await remove(`pipelines/${id}`);
      const create = (values: object) => failureOf(world.act('create_lead', { name: 'Lead', ...values }));
      expect((await create({ pipeline_id: id })).message).toBe(`Pipeline: ${chooseAnother}`);
      expect((await create({ stage_id: first })).message).toBe(`Stage: ${chooseAnother}`);
      expect((await create({ pipeline_id: id, stage_id: first })).message).toContain(
        `Pipeline: ${chooseAnother}`,
      );
      expect(await world.list('triggers.list_stages', { pipeline_id: id }, { page: 0 })).toEqual([]);
      expect(await world.zap('lead_stage_changed', { pipeline_id: id }).samples()).toHaveLength(1);
    });
  });

  describe('the connection', () => {
    test('ends with its hooks when an old refresh token comes again, and the account can be connected anew', async () => {
      const connection = await connect();
      const robbed = await worldOf(connection);
      const zap = robbed.zap('lead_created');
      await zap.turnOn();
      const first = { ...connection, authData: { ...connection.authData } };
      await refresh(day.platform, connection);
      await refresh(day.platform, connection);

      const ended = {
        name: 'ExpiredAuthError',
        message: 'This connection has ended. Reconnect the account.',
      };
      expect(await failureOf(refresh(day.platform, first))).toMatchObject(ended);
      expect(await failureOf(robbed.act('create_company', { name: 'x' }))).toMatchObject(ended);
      expect(await failureOf(zap.turnOff())).toMatchObject(ended);

      connection.authData = (await connect()).authData;
      expect(await robbed.hooks()).toEqual([]);
      await zap.turnOn();
      await robbed.newLead();
      expect(await zap.runs(await zap.delivery())).toHaveLength(1);
      await zap.turnOff();
    });

    test('ends when the person disconnects it, and asks to be connected again', async () => {
      const connection = await connect();
      const { token } = Object(await testAccount(connection.authData));
      const browser = new Browser(new URL(connection.baseUrl));
      await browser.signInAs(organization.ownerEmail);
      const path = `/integrations/apps/${token.id}/disconnect`;
      expect((await browser.fill(path, path, {})).status).toBe(303);
      const left = await worldOf(connection);
      expect(await failureOf(left.act('create_company', { name: 'x' }))).toMatchObject({
        name: 'ExpiredAuthError',
        message: 'This connection has ended. Reconnect the account.',
      });
    });
  });
}
