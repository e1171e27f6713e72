import { Browser } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { refresh } from '../../platform/connection.ts';
import { failureOf } from '../../platform/failure.ts';
import type { Today } from './today.ts';

export function endedConnectionPromises(today: Today): void {
  test('ends with its hooks when an old refresh token comes again, and the account can be connected anew', async () => {
    const connection = await today.connect();
    const robbed = await today.worldOf(connection);
    const zap = robbed.zap('lead_created');
    await zap.turnOn();
    const first = { ...connection, authData: { ...connection.authData } };
    await refresh(today.platform, connection);
    await refresh(today.platform, connection);

    const ended = {
      name: 'ExpiredAuthError',
      message: 'This connection has ended. Reconnect the account.',
    };
    expect(await failureOf(refresh(today.platform, first))).toMatchObject(ended);
    expect(await failureOf(robbed.act('create_company', { name: 'x' }))).toMatchObject(ended);
    expect(await failureOf(zap.turnOff())).toMatchObject(ended);

    connection.authData = (await today.connect()).authData;
    expect(await robbed.hooks()).toEqual([]);
    await zap.turnOn();
    await robbed.newLead();
    expect(await zap.runs(await zap.delivery())).toHaveLength(1);
    await zap.turnOff();
  });

  test('ends when the person disconnects it, and asks to be connected again', async () => {
    const connection = await today.connect();
    const { token } = Object(await today.testAccount(connection.authData));
    const browser = new Browser(new URL(connection.baseUrl));
    await browser.signInAs(today.organization.ownerEmail);
    const path = `/integrations/apps/${token.id}/disconnect`;
    expect((await browser.fill(path, path, {})).status).toBe(303);
    const left = await today.worldOf(connection);
    expect(await failureOf(left.act('create_company', { name: 'x' }))).toMatchObject({
      name: 'ExpiredAuthError',
      message: 'This connection has ended. Reconnect the account.',
    });
  });
}
