import { describeTrouble } from '@dealkeep/connectors';
import { sharedDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { apiKey } from '../src/index.ts';
import { isPassing, troubleIn } from '../src/requests/attempt.ts';
import { builtIntegration } from './platform/built-integration.ts';
import { failureOf } from './platform/failure.ts';
import { startInProcess } from './platform/platform.ts';
import { type ScriptedAnswer, startScriptedApi } from './platform/scripted-api.ts';

const key = 'dk_live_aVerySecretKeyThatNobodyMayEverSee0123456';
const dealkeep = await sharedDealkeep();
const platform = await startInProcess(builtIntegration(apiKey));
const advice = 'Reconnect the account with the right Service Address.';
const closing: (() => Promise<void>)[] = [platform.close];
afterAll(() => Promise.all(closing.map((close) => close())));

/** What a person reads who connects with this address. */
const connecting = async (address: string, token = key) => {
  const authData = { base_url: address, api_key: token };
  return failureOf(platform.run('authentication.test', { authData, meta: {} }));
};

async function answering(answer: ScriptedAnswer) {
  const api = await startScriptedApi([answer]);
  closing.push(api.close);
  return api;
}

describe('an address', () => {
  test.each([
    ['the API root', dealkeep.baseUrl],
    ['the API root with a slash', `${dealkeep.baseUrl}/`],
    ['the origin alone', dealkeep.origin],
  ])('that is %s connects, by http to this machine (rule zapier 2)', async (_, address) => {
    const { key: token } = await dealkeep.createOrganization();
    const authData = { base_url: address, api_key: token };
    await expect(platform.run('authentication.test', { authData, meta: {} })).resolves.toBeDefined();
  });

  test.each([
    'http://crm.example.com',
    'crm.example.com',
    'ftp://crm.example.com',
    'https://user:secret@crm.example.com',
    'https://crm.example.com?key=1',
    'my crm',
    '',
  ])('%j is refused before the key leaves (rule zapier 2)', async (address) => {
    expect((await connecting(address)).message).toMatch(/^The Service Address must be a web address/);
  });

  test.each([
    ['/api/v2', 'answers, but not as the API of Dealkeep does'],
    ['/api/v1/public/leads', 'answers, but not as the API of Dealkeep does'],
    ['/leads', 'sends requests on to another address'],
  ])('of a Dealkeep with the wrong path %s leads to the right one', async (path, trouble) => {
    const { key: token } = await dealkeep.createOrganization();
    const { origin } = dealkeep;
    expect((await connecting(`${origin}${path}`, token)).message).toBe(
      `${new URL(origin).host} ${trouble}. ${advice}`,
    );
  });

  test.each<[string, ScriptedAnswer]>([
    ['a page', { status: 200, body: '<!doctype html><title>Welcome</title>' }],
    ['a page that is not found', { status: 404, body: '<h1>nginx</h1>' }],
    ['a page behind a password', { status: 401, body: '<h1>Password</h1>' }],
    ['an empty answer', { status: 200, body: '' }],
    ['JSON of something else', { status: 200, body: { hello: 'world' } }],
    ['an error of something else', { status: 400, body: { error: 'no' } }],
    ['a list in place of a record', { status: 200, body: { data: [] } }],
  ])('where %s answers is told to be no Dealkeep', async (_, answer) => {
    const { baseUrl } = await answering(answer);
    expect((await connecting(baseUrl)).message).toBe(
      `${new URL(baseUrl).host} answers, but not as the API of Dealkeep does. ${advice}`,
    );
  });

  test('that sends on to another host is named, and the other host hears nothing (rule connectors 13)', async () => {
    const other = await answering({ status: 200, body: { data: {} } });
    const { baseUrl, seen } = await answering({ status: 302, headers: { Location: `${other.baseUrl}/me` } });
    expect((await connecting(baseUrl)).message).toBe(
      `${new URL(baseUrl).host} sends requests on to another address. ${advice}`,
    );
    expect([seen.length, other.seen.length]).toEqual([1, 0]);
  });
});

describe('a connection that fails', () => {
  /** What a person reads, and whether it was tried again, when Node fails with this code. */
  function told(code: string) {
    const cause = Object.assign(new Error('request failed'), { name: 'FetchError', code });
    const message = describeTrouble(new URL('https://crm.example.com:8443/api'), advice, troubleIn(cause));
    return { message, again: isPassing(cause) };
  }

  test.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('because of its certificate (%s) is not tried again and says what is wrong with it', (code) => {
    expect(told(code)).toEqual({
      message:
        'The certificate of crm.example.com:8443 cannot be trusted: it is self-signed, expired or made for another name. Give the service one that browsers accept.',
      again: false,
    });
  });

  test('because there is no such name is not tried again', () => {
    expect(told('ENOTFOUND')).toEqual({
      message: `There is no server named crm.example.com. ${advice}`,
      again: false,
    });
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH'])(
    'with %s is tried again',
    (code) => {
      expect(told(code)).toEqual({
        message: `crm.example.com:8443 did not answer. Check that the service runs and can be reached from the internet. ${advice}`,
        again: true,
      });
    },
  );
});
