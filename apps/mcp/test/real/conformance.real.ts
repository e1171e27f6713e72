import { allowAuthorization, checkAuthorizationRequest, createOAuthApp } from '@dealkeep/core/accounts';
import { freePort, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { baseline, isLeftOut } from './baseline.ts';
import { type Check, judge } from './judge.ts';
import { startTokenRelay } from './token-relay.ts';

const relay = await startTokenRelay();
const dealkeep = await startDealkeep({ worker: false, origin: relay.origin });
const organization = await dealkeep.createOrganization();
relay.lead({ origin: dealkeep.origin, token: organization.key });

const revisions = ['2025-11-25', '2026-07-28'] as const;
const expected: ReadonlySet<string> = new Set(Object.values(baseline).flat());

describe.each(revisions)('as the protocol’s makers judge a server of revision %s', (revision) => {
  test('every check passes, but those that look for what only a server made for it has', async () => {
    const checks = (
      await judge(['server', '--url', `${relay.origin}/mcp`, '--requirements', revision])
    ).filter(({ scenario }) => !isLeftOut(scenario));
    const described = ({ scenario, id, errorMessage = '' }: Check) => `${scenario}: ${id}: ${errorMessage}`;
    const unexpected = checks.filter(({ status, id }) => status === 'FAILURE' && !expected.has(id));
    expect(unexpected.map(described)).toEqual([]);
    const mended = checks.filter(({ status, id }) => status === 'SUCCESS' && expected.has(id));
    expect(mended.map(described), 'these pass: the baseline no longer needs them').toEqual([]);
    seen.push(...checks);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(20);
  });
});

const seen: Check[] = [];

test('the baseline names only checks that there are', () => {
  const failed = new Set(seen.filter(({ status }) => status === 'FAILURE').map(({ id }) => id));
  expect([...expected].filter((id) => !failed.has(id))).toEqual([]);
});

test('as they judge an authorization server: its metadata, and a code that is granted and redeemed', async () => {
  const port = await freePort();
  const app = await createOAuthApp(dealkeep.core, {
    name: 'Judge',
    redirectUris: [`http://127.0.0.1:${port}/callback`],
    scopes: ['leads:read'],
    isPublic: true,
  });
  const { core } = dealkeep;
  /** What its owner does in a browser, without the page. */
  const consent = async (line: string): Promise<void> => {
    const asked = URL.parse(line);
    if (asked?.pathname !== '/oauth/authorize') return;
    const check = await checkAuthorizationRequest(core, asked.searchParams);
    if (!('request' in check)) throw new Error(JSON.stringify(check));
    const owner = { id: organization.ownerId, name: 'Eva', organization: organization.id };
    await fetch(await allowAuthorization(core, check.request, owner));
  };
  const consents: Promise<void>[] = [];
  const checks = await judge(
    [
      ...['authorization', '--url', relay.origin, '--port', String(port)],
      ...['--client-id', app.client_id, '--resource', `${relay.origin}/mcp`],
    ],
    (line) => consents.push(consent(line)),
  );
  await Promise.all(consents);
  expect(
    checks.map(({ id, status, errorMessage = '' }) => `${id}: ${status} ${errorMessage}`.trim()),
  ).toEqual([
    'authorization-code-grant: SUCCESS',
    'authorization-server-metadata: SUCCESS',
    'authorization-server-metadata-cimd: SUCCESS',
  ]);
});
