import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { failureOf } from '../../platform/failure.ts';
import { unique } from '../world.ts';
import type { Today } from './today.ts';

export function zapOfTheDayPromises(today: Today): void {
  test('runs for a live delivery, and neither for one that was replayed nor for one that was tampered with', async () => {
    const zap = today.world.zap('lead_created');
    await zap.turnOn();
    const lead = await today.world.newLead({ company: { name: unique('Žltý kôň') } });
    const live = await zap.delivery();
    const tampered = { ...live, content: live.content.replace(String(lead['name']), 'Other') };
    expect(await zap.runs(tampered)).toEqual([]);
    expect(await zap.runs(live)).toMatchObject([{ id: lead['id'], company: lead['company'] }]);

    // A delivery can be sent again as soon as it is in the log.
    const again = () => today.service.replay(String(zap.subscription['id']));
    await expect.poll(again).toBe(1);
    const replayed = await zap.delivery();
    expect(replayed.headers['Http-Webhook-Signature']).toBeDefined();
    expect(await zap.runs(replayed)).toEqual([]);
    await zap.turnOff();
  });

  test('whose access ends between two steps goes on after a refresh, its hook with it', async () => {
    const { connection, platform } = today.world;
    const zap = today.world.zap('company_created');
    await zap.turnOn();
    const name = unique('Mid-Zap');
    const { id } = await today.world.act('create_company', { name });
    await today.service.endAccessToken(String(connection.authData['access_token']));

    const step = 'creates.update_company.operation.perform';
    const ended = { ...connection.authData };
    const run = () => platform.run(step, { authData: ended, inputData: { id, note: 'x' }, meta: {} });
    expect((await eventually(() => failureOf(run()))).name).toBe('RefreshAuthError');
    expect(await today.world.act('update_company', { id, note: 'After the refresh' })).toMatchObject({
      name,
    });
    expect(connection.authData).not.toEqual(ended);
    expect(await zap.runs(await zap.delivery())).toMatchObject([{ id }]);
    await zap.turnOff();
  });

  test('for orders asks the API for nothing: it runs also when its access has ended', async () => {
    const { connection } = today.world;
    const client = await today.world.some('/clients');
    const zap = today.world.zap('order_created');
    await zap.turnOn();
    const items = [{ sku: 'SERVICE', quantity: 1, unit_price: 10 }];
    const order = await today.world.ask('POST', '/orders', {
      customer: { client_uuid: client['id'] },
      items,
    });
    const delivery = await zap.delivery();
    await today.service.endAccessToken(String(connection.authData['access_token']));
    const kept = { ...connection.authData };
    expect(await zap.runs(delivery)).toMatchObject([{ id: order['uuid'], client_uuid: client['id'] }]);
    // A request would have been refused, and the tokens refreshed.
    expect(connection.authData).toEqual(kept);
    await zap.turnOff();
  });

  test('can be turned off twice, and when its hook is gone already', async () => {
    const zap = today.world.zap('contact_created');
    await zap.turnOn();
    await zap.turnOff();
    await expect(zap.turnOff()).resolves.toBeUndefined();
    expect((await today.world.hooks()).map((hook) => hook.target_url)).not.toContain(zap.targetUrl);
  });

  test('that Zapier has forgotten answers 410, and its hook goes', async () => {
    const zap = today.world.zap('lead_created');
    await zap.turnOn();
    today.world.receiver.gone(zap.targetUrl);
    await today.world.newLead();
    const targets = async () => (await today.world.hooks()).map((hook) => hook.target_url);
    await expect.poll(targets).not.toContain(zap.targetUrl);
    await expect(zap.turnOff()).resolves.toBeUndefined();
  });
}
