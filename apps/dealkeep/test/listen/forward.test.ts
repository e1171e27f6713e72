import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { revokeApiKey } from '@dealkeep/core/accounts';
import { startDealkeep } from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dealkeep, oneLine, type RunningCommand, startCommandHere } from '../program.ts';
import { startLocalProgram } from './local-program.ts';

const { origin, core, as, createOrganization } = await startDealkeep({ worker: false });

/** Starts the command and waits until it listens. */
async function startListening(key: string, ...args: string[]): Promise<RunningCommand> {
  const running = startCommandHere(['listen', '--key', key, '--origin', origin, ...args], {});
  await running.says(/whsec_/);
  return running;
}

const secretPattern = /(whsec_[A-Za-z0-9+/=]+)/;

describe('an event of the organization', () => {
  test('is posted as a webhook sends it, signed by the secret that is shown at the start (rule operator 31)', async () => {
    const { key } = await createOrganization();
    const local = await startLocalProgram();
    const listening = await startListening(key, '--forward-to', local.url);
    const secret = await listening.says(secretPattern);
    const before = Math.floor(Date.now() / 1000);
    const lead = (await as(key).post('/leads', { name: 'Čučoriedka' })).data;

    const [post] = await local.received(1);
    const { headers = {}, body = '' } = post ?? {};
    const envelope = new Webhook(secret).verify(body, headers);
    expect(envelope).toMatchObject({ type: 'lead.created', data: lead });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'webhook-id': JSON.parse(body).id,
      'x-service-event': 'lead.created',
      'x-service-attempt': '1',
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before);
    await listening.says(/^\d\d:\d\d:\d\d {2}lead\.created +evt_\w+ {2}200 {2}\d+ ms$/m);
    const { code, stdout, stderr } = await listening.end('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout, 'colours are for terminals').not.toContain('\x1b');
  });

  test('gives one JSON line with --json, and a first one with the secret (rules operator 27 and 31)', async () => {
    const { key, slug } = await createOrganization();
    const local = await startLocalProgram(() => 500);
    const listening = await startListening(
      key,
      ...['--forward-to', local.url, '--events', 'lead.created', '--json'],
    );
    await as(key).post('/leads', { name: 'Lead', company: { name: 'Not asked for' } });
    await listening.says(/forwarded.*\n/);
    const { code, stdout } = await listening.end('SIGTERM');
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        kind: 'listening',
        origin,
        organization: slug,
        events: ['lead.created'],
        forward_to: local.url,
        secret: expect.stringMatching(secretPattern),
      },
      {
        kind: 'forwarded',
        time: expect.stringMatching(/Z$/),
        type: 'lead.created',
        id: expect.stringMatching(/^evt_/),
        status: 500,
        error: null,
        duration_ms: expect.any(Number),
      },
    ]);
  });

  test('that is not taken is told with the start of the answer, and not tried again', async () => {
    const { key } = await createOrganization();
    const local = await startLocalProgram(({ name }) => (name === 'First' ? 404 : 200));
    const listening = await startListening(key, '--forward-to', local.url);
    await as(key).post('/leads', { name: 'First' });
    await listening.says(/ {2}404 {2}\d+ ms {2}Not yet\n/);
    await as(key).post('/leads', { name: 'Second' });
    expect((await local.received(2)).map(({ name }) => name)).toEqual(['First', 'Second']);
  });

  test('for which no local program answers is told in plain words', async () => {
    const { key } = await createOrganization();
    const listening = await startListening(key, '--forward-to', 'http://127.0.0.1:1/');
    await as(key).post('/leads', { name: 'Lead' });
    await listening.says(/ {2}failed: connection refused {2}\d+ ms\n/);
  });

  test('does not wait for one that the local program hangs at, nor does Ctrl-C', async () => {
    const { key } = await createOrganization();
    const local = await startLocalProgram(({ name }) => (name === 'Hang' ? 'hang' : 200));
    const listening = await startListening(key, '--forward-to', local.url);
    for (const name of ['Hang', 'Hang', 'Hang', 'Good']) await as(key).post('/leads', { name });
    await listening.says(/ {2}200 {2}/);
    expect(await listening.end('SIGINT')).toMatchObject({ code: 0, stderr: '' });
  });
});

test('the secret is the same at every run with a key, another for another key, and can be given (rule operator 31)', async () => {
  const { key, createKey } = await createOrganization();
  const secretOf = async (token: string, ...more: string[]): Promise<string> => {
    const listening = await startListening(token, '--forward-to', 'localhost:1', ...more);
    const secret = await listening.says(secretPattern);
    await listening.end('SIGINT');
    return secret;
  };
  const secret = await secretOf(key);
  expect(await secretOf(key)).toBe(secret);
  expect(await secretOf((await createKey()).token)).not.toBe(secret);
  const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  expect(await secretOf(key, '--secret', own)).toBe(own);
});

/** Answers anything with a page. */
async function startWebSite(): Promise<string> {
  const server = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('what is wrong is said in one line, and the command ends with 1:', () => {
  const listen = (key: string, at = origin, ...more: string[]) =>
    dealkeep(['listen', '--forward-to', 'http://localhost:1', '--origin', at, '--key', key, ...more], {});

  test.each([
    ['a wrong key', /API key or access token is not valid/],
    ['a missing scope', /lacks the scope webhooks:manage/],
    ['an unknown event', /no event "lead\.eaten"/],
    ['a server that cannot be reached', /http:\/\/127\.0\.0\.1:1 cannot be reached: connection refused/],
    ['a server that is no Dealkeep', /answered 200: it is no Dealkeep/],
    ['a fourth stream', /already has 3 streams/],
  ])('%s', async (what, sentence) => {
    const { key, createKey } = await createOrganization();
    const run = async () => {
      switch (what) {
        case 'a wrong key':
          return listen('dk_live_wrong');
        case 'a missing scope':
          return listen((await createKey({ scopes: ['leads:read'] })).token);
        case 'an unknown event':
          return listen(key, origin, '--events', 'lead.eaten');
        case 'a server that cannot be reached':
          return listen(key, 'http://127.0.0.1:1');
        case 'a server that is no Dealkeep':
          return listen(key, await startWebSite());
        default:
          for (let count = 0; count < 3; count += 1) await startListening(key, '--forward-to', 'localhost:1');
          return listen(key);
      }
    };
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(sentence);
  });

  test('a key that is revoked meanwhile', async () => {
    const { key, keyId } = await createOrganization();
    const listening = await startListening(key, '--forward-to', 'localhost:1');
    await revokeApiKey(core, keyId);
    const { code, stderr } = await listening.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The API key or access token is not valid.*\n$/),
    });
  });
});

test.each([
  [['--forward-to', 'http://localhost:1'], /DEALKEEP_KEY/],
  [['--forward-to', 'ftp://localhost', '--key', 'x'], /http:\/\/localhost:5678/],
  [['--forward-to', 'localhost:1', '--key', 'x', '--secret', 'whsec_x'], /whsec_ and 24 to 64/],
])('wrong usage ends with 64 and the usage: %j', async (args, sentence) => {
  const { code, stderr } = await dealkeep(['listen', ...args], {});
  expect(code).toBe(64);
  expect(stderr).toMatch(sentence);
  expect(stderr).toContain('Usage: dealkeep listen');
});
