import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { piece } from './platform.ts';
import { newWorld } from './world.ts';

const dealkeep = await sharedDealkeep();

/** What the platform does before it keeps a connection. */
const validate = (base_url: string, api_key: string): Promise<unknown> =>
  Object(piece.auth).validate({
    auth: { base_url, api_key },
    server: { apiUrl: 'http://127.0.0.1:3000/', publicUrl: 'http://127.0.0.1:4200/' },
  });

describe('a connection (rule activepieces 1)', () => {
  test('is valid with the address of the service or of its API', async () => {
    const { auth } = await newWorld(dealkeep);
    const { base_url, api_key } = auth.props;
    for (const address of [base_url, `${base_url}/`, new URL(base_url).origin]) {
      expect(await validate(address, ` ${api_key} `)).toEqual({ valid: true });
    }
  });

  test('with a key that is not valid says what to do', async () => {
    const { auth } = await newWorld(dealkeep);
    expect(await validate(auth.props.base_url, 'dk_live_wrong')).toEqual({
      valid: false,
      error: expect.stringMatching(/Open the connection and set a valid API Key\.$/),
    });
  });

  test('with an address that is none says which one is meant', async () => {
    expect(await validate('crm', 'dk_live_x')).toEqual({
      valid: false,
      error: expect.stringMatching(/^Service Address: .*https:\/\/crm\.example\.com/),
    });
  });
});
