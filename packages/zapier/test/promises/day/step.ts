import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { authorize } from '../../platform/authorize.ts';
import { failureOf } from '../../platform/failure.ts';
import { unique } from '../world.ts';
import type { Today } from './today.ts';

export function stepPromises(today: Today): void {
  test('beyond the limit of requests waits as long as the API says', async () => {
    await today.organization.setRequestsPerMinute(1);
    try {
      const failure = await eventually(() =>
        failureOf(today.world.act('create_company', { name: unique('Many') })),
      );
      expect(failure).toMatchObject({
        name: 'ThrottledError',
        message: expect.stringMatching(/^Too many requests\. Try again in \d+ s\.$/),
      });
      expect(failure.message).toContain(` ${failure.delay} s`);
      expect(failure.delay).toBeGreaterThan(0);
      expect(failure.delay).toBeLessThanOrEqual(60);
    } finally {
      await today.organization.setRequestsPerMinute(6000);
      await eventually(() => today.testAccount(today.world.connection.authData));
    }
  });

  test('of an organization whose subscription has lapsed says what to do, and goes on once it is renewed', async () => {
    const zap = today.world.zap('company_created');
    await zap.turnOn();
    await today.organization.setSubscription('lapsed');
    try {
      await eventually(() => failureOf(today.testAccount(today.world.connection.authData)));
      expect(await failureOf(today.world.act('create_company', { name: unique('Lapsed') }))).toEqual({
        name: 'AppError',
        message: 'The subscription of the organization is not active. Renew it to go on.',
        delay: undefined,
      });
    } finally {
      await today.organization.setSubscription('active');
      await eventually(() => today.testAccount(today.world.connection.authData));
    }
    const { id } = await today.world.act('create_company', { name: unique('Renewed') });
    expect(await zap.runs(await zap.delivery())).toMatchObject([{ id }]);
    await zap.turnOff();
  });

  test('that the role of the person does not permit names the permission', async () => {
    const { email } = await today.organization.createPerson('companies.view=all');
    const authData = await authorize(today.platform, email);
    const { apiKey, baseUrl } = today.world.connection;
    const limited = await today.worldOf({ authData, apiKey, baseUrl });
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
    const tested = limited.zap('any_event', { events: ['company.created', 'lead.created'] }).samples();
    expect(await failureOf(tested)).toMatchObject(lacking(/lacks the permission leads\.view\./));
    const name = String((await today.world.act('create_company', { name: unique('Seen') }))['name']);
    expect(await limited.list('searches.find_company', { search_q: name })).toMatchObject([{ name }]);
  });

  test('that the state of the record does not allow stops the Zap without an alarm', async () => {
    const { id } = await today.world.newLead();
    await today.world.act('archive_lead', { id });
    expect(await failureOf(today.world.act('update_lead', { id, note: 'x' }))).toMatchObject({
      name: 'HaltedError',
      message: 'The lead is archived and cannot be changed.',
    });
  });

  test('with wrong values names the fields as the person sees them', async () => {
    const values = { value: 'a lot', company__name: 'Firm', company__email: 'nobody' };
    const { name, message } = await failureOf(today.world.act('create_lead', values));
    expect(name).toBe('AppError');
    expect(message).toMatch(/Value: .*Company Email: /);
  });
}
