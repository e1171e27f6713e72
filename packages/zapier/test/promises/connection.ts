import { expect, test } from 'vitest';
import type { World } from './world.ts';

/** The connection by service address and key. */
export function keyConnectionPromises(world: World): void {
  test('is tested and labelled by the organization and the key, without a secret', async () => {
    const { authData, apiKey } = world.connection;
    const me = await world.platform.run('authentication.test', { authData, meta: {} });
    const label = await world.platform.run('authentication.connectionLabel', { authData, inputData: me });
    const { organization, token } = Object(me);
    expect(label).toBe(`${token.name} @ ${organization.name}`);
    expect(JSON.stringify(me)).not.toContain(apiKey);
  });

  test('with the bare address of the service works as well', async () => {
    const authData = {
      ...world.connection.authData,
      base_url: `${new URL(world.connection.baseUrl).origin}/`,
    };
    await expect(world.platform.run('authentication.test', { authData, meta: {} })).resolves.toBeDefined();
  });

  test('with a wrong key asks to reconnect', async () => {
    const authData = { ...world.connection.authData, api_key: `dk_live_${'x'.repeat(43)}` };
    const run = world.platform.run('authentication.test', { authData, meta: {} });
    await expect(run).rejects.toMatchObject({ name: 'ExpiredAuthError' });
  });
}
