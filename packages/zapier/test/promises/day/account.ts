import { oauthScopes } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { askPerson, exchange } from '../../platform/authorize.ts';
import { refresh } from '../../platform/connection.ts';
import { failureOf } from '../../platform/failure.ts';
import type { Today } from './today.ts';

export function accountPromises(today: Today): void {
  test('is connected by agreeing to what the integration needs, and named after person and organization', async () => {
    const { platform, connection } = today.world;
    const inputData = { state: 'x', redirect_uri: 'https://zapier.com/back' };
    const address = String(await platform.run('authentication.oauth2Config.authorizeUrl', { inputData }));
    const { scopes } = Object(Object(await today.testAccount(connection.authData)).token);
    expect(new URL(address).searchParams.get('scope')?.split(' ').sort()).toEqual(oauthScopes.toSorted());
    expect([...scopes].sort()).toEqual(oauthScopes.toSorted());
    expect(address).not.toContain(platform.environment['CLIENT_SECRET']);

    const inputOfLabel = await today.testAccount(connection.authData);
    const label = await platform.run('authentication.connectionLabel', { inputData: inputOfLabel });
    const { name } = Object(Object(inputOfLabel).organization);
    expect(label).toBe(`Jana Horváthová @ ${name}`);
    expect(Object.keys(connection.authData).sort()).toEqual(['access_token', 'refresh_token']);
  });

  test('is not connected when the person does not agree', async () => {
    const { said } = await askPerson(today.platform, today.organization.ownerEmail, 'deny');
    expect(said.get('error')).toBe('access_denied');
    expect(said.has('code')).toBe(false);
  });

  test('is not connected by a code with another verifier, nor by one that was used before', async () => {
    const answer = await askPerson(today.platform, today.organization.ownerEmail);
    const expired = { name: 'AppError', message: 'The sign-in has expired. Connect the account again.' };
    const stolen = { ...answer, verifier: 'a'.repeat(43) };
    expect(await failureOf(exchange(today.platform, stolen))).toMatchObject(expired);

    const once = await askPerson(today.platform, today.organization.ownerEmail);
    await exchange(today.platform, once);
    expect(await failureOf(exchange(today.platform, once))).toMatchObject(expired);
  });

  test('gets both tokens anew at each refresh', async () => {
    const { connection, platform } = today.world;
    const before = { ...connection.authData };
    await refresh(platform, connection);
    expect(connection.authData['access_token']).not.toBe(before['access_token']);
    expect(connection.authData['refresh_token']).not.toBe(before['refresh_token']);
    await expect(today.testAccount(connection.authData)).resolves.toBeDefined();
  });
}
