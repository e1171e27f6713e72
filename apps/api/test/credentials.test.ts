import { allScopes, type OperationDeclaration, operations, type Scope } from '@dealkeep/contract';
import { revokeApiKey, updateOrganization, updateUser } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import { authorize } from '@dealkeep/core/identity';
import { growOlder, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

let moment = Date.parse('2026-10-01T12:00:00.000Z');
const clock = { now: () => new Date(moment) };
const dealkeep = await startDealkeep({ worker: false, clock });
const testEnvironment = await startDealkeep({ worker: false, clock, environment: 'test' });
const operator = { sql: dealkeep.sql, clock };

/** What the operator gives and raises is remembered for a second at most. */
async function afterASecond(ask: () => Promise<{ outcome: string }>): Promise<string> {
  growOlder(1001);
  return (await ask()).outcome;
}

describe('the Authorization header', () => {
  test('missing (rule keys 1)', async () => {
    const refused = await dealkeep.as().get('/me');
    expect(refused.outcome).toBe('401 UNAUTHORIZED');
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1/public"',
    );
    expect(refused.error.message).toContain('Authorization: Bearer');
  });

  test.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Basic ZGs6ZGs=',
    'Token dk_live_x',
    'dk_live_x',
    'Bearer dk_live_',
    'Bearer dk_live_unknown',
    `Bearer dk_live_${'A'.repeat(43)}`,
    `Bearer dk_live_${'A'.repeat(5000)}`,
    'Bearer null',
    'Bearer undefined',
    'Bearer a b',
    'Bearer a,b',
    "Bearer ' or 1=1 --",
    'Bearer \u00e9',
    'Bearer dk_oat_unknown',
    'Bearer whsec_x',
  ])('that is no key: %j (rule keys 2)', async (header) => {
    expect((await dealkeep.as().with({ Authorization: header }).get('/me')).outcome).toBe('401 UNAUTHORIZED');
  });

  test('without the word Bearer, or with more than a key, is told what it must read, and is a token that is not valid', async () => {
    const { organization } = await openBusiness(dealkeep);
    const { key } = organization;
    for (const header of [key, `Token ${key}`, 'Bearer', `Bearer "${key}"`]) {
      const refused = await dealkeep.as().with({ Authorization: header }).get('/me');
      expect(refused.error.message).toContain('must read Bearer <API_KEY>');
      expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('takes the scheme in any case and spaces around the key, and nothing else for a key', async () => {
    const { organization } = await openBusiness(dealkeep);
    const ask = async (header: string) =>
      (await dealkeep.as().with({ Authorization: header }).get('/me')).outcome;
    const { key } = organization;
    expect(await ask(`bearer ${key}`)).toBe('200');
    expect(await ask(`BEARER   ${key}  `)).toBe('200');
    expect(await ask(`Bearer ${key}x`)).toBe('401 UNAUTHORIZED');
    expect(await ask(`Bearer ${key.slice(0, -1)}`)).toBe('401 UNAUTHORIZED');
    expect(await ask(`Bearer ${key.toUpperCase()}`)).toBe('401 UNAUTHORIZED');
    expect(await ask(`Bearer ${organization.keyId}`)).toBe('401 UNAUTHORIZED');
  });

  test('a key is no query parameter', async () => {
    const { organization } = await openBusiness(dealkeep);
    expect((await dealkeep.as().send('GET', `/me?access_token=${organization.key}`)).outcome).toBe(
      '401 UNAUTHORIZED',
    );
  });

  test('is asked for before anything is said about the address (rules http 5 and keys 10)', async () => {
    expect((await dealkeep.as().send('GET', '/nonsense')).outcome).toBe('401 UNAUTHORIZED');
    expect((await dealkeep.as().send('DELETE', '/leads')).outcome).toBe('401 UNAUTHORIZED');
    const { api } = await openBusiness(dealkeep);
    for (const [method, path] of [
      ['GET', '/nonsense'],
      ['GET', '/'],
      ['GET', ''],
      ['DELETE', '/leads'],
      ['PUT', '/leads/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63'],
      ['POST', '/me'],
      ['PATCH', '/webhooks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63'],
      ['DELETE', '/companies/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63'],
      ['GET', '/leads/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63/move'],
      ['OPTIONS', '/leads'],
    ] as const) {
      expect([method, path, (await api.send(method, path)).outcome]).toEqual([method, path, '404 NOT_FOUND']);
    }
  });
});

describe('the environment', () => {
  test('of a key is told by its prefix alone (rules keys 3, keys 4 and test-environment 2)', async () => {
    const live = await openBusiness(dealkeep);
    const sandbox = await openBusiness(testEnvironment);
    expect(live.organization.key).toMatch(/^dk_live_[0-9A-Za-z]{43}$/);
    expect(sandbox.organization.key).toMatch(/^dk_test_[0-9A-Za-z]{43}$/);
    expect((await sandbox.api.get('/me')).outcome).toBe('200');
    for (const token of [sandbox.organization.key, 'dk_test_x']) {
      expect((await dealkeep.as(token).get('/me')).outcome).toBe('401 WRONG_ENVIRONMENT');
    }
    for (const token of [live.organization.key, 'dk_live_x']) {
      expect((await testEnvironment.as(token).get('/me')).outcome).toBe('401 WRONG_ENVIRONMENT');
    }
  });

  test('that is a test has its own limits (rules rate-limits 1 and me 4)', async () => {
    const { api } = await openBusiness(testEnvironment, { usualRateLimits: true });
    expect((await api.get('/me')).data.limits).toEqual({
      requests_per_minute: 60,
      org_requests_per_minute: 300,
    });
    expect((await testEnvironment.as().get('/me')).headers.get('x-ratelimit-limit')).toBe('60');
  });
});

describe('a key', () => {
  test('works until the very moment that it expires', async () => {
    const { organization } = await openBusiness(dealkeep);
    const key = await organization.createKey({ expiresAt: new Date(moment + 60_000).toISOString() });
    const api = dealkeep.as(key.token);
    moment += 59_999;
    expect((await api.get('/me')).outcome).toBe('200');
    moment += 1;
    expect((await api.get('/me')).outcome).toBe('401 UNAUTHORIZED');
    expect((await dealkeep.as(organization.key).get('/me')).outcome).toBe('200');
  });

  test('is of no use for the next request after it was revoked, and neither are its hooks (rules keys 13 and 15)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const key = await organization.createKey();
    const api = dealkeep.as(key.token);
    await api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' });
    expect((await api.get('/me')).outcome).toBe('200');
    await revokeApiKey(operator, key.id);
    expect((await api.get('/me')).outcome).toBe('401 UNAUTHORIZED');
    expect(await dealkeep.sql`select from webhooks where api_key_id = ${key.id}`).toHaveLength(0);
  });

  test('whose owner is inactive is 422, and works again with the owner (rule keys 11)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    expect((await api.get('/me')).outcome).toBe('200');
    await updateUser(operator, organization.ownerEmail, { active: false });
    expect((await api.get('/me')).outcome).toBe('422 TOKEN_OWNER_INACTIVE');
    await updateUser(operator, organization.ownerEmail, { active: true });
    expect((await api.get('/me')).outcome).toBe('200');
  });

  test('of an organization whose subscription lapsed is 402 (rule keys 12)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await updateOrganization(dealkeep.sql, organization.slug, { subscription: 'lapsed' });
    expect((await api.get('/me')).outcome).toBe('402 PAYMENT_REQUIRED');
    await updateOrganization(dealkeep.sql, organization.slug, { subscription: 'active' });
    expect((await api.get('/me')).outcome).toBe('200');
  });
});

/** Past the commands, which wait for every process. */
const setOwner = ({ id }: TestOrganization, active: boolean) =>
  dealkeep.sql`update memberships set active = ${active} where organization_id = ${id}`;
const setSubscription = ({ id }: TestOrganization, subscription: 'active' | 'lapsed') =>
  dealkeep.sql`update organizations set subscription = ${subscription} where id = ${id}`;

describe('the order of checks', () => {
  test('owner, subscription, legacy, scope, then path and body (rule keys 10)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const key = await organization.createKey({ legacy: true });
    const api = dealkeep.as(key.token);
    const ask = () =>
      api.send('POST', '/webhooks?nonsense=1', {
        body: '{not json',
        headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': '' },
      });
    await setOwner(organization, false);
    await setSubscription(organization, 'lapsed');
    expect((await ask()).outcome).toBe('422 TOKEN_OWNER_INACTIVE');
    await setOwner(organization, true);
    expect(await afterASecond(ask)).toBe('402 PAYMENT_REQUIRED');
    await setSubscription(organization, 'active');
    expect(await afterASecond(ask)).toBe('403 LEGACY_KEY_NOT_ALLOWED');
    const small = dealkeep.as((await organization.createKey({ scopes: ['products:read'] })).token);
    const bad = (path: string, headers: Record<string, string> = {}) =>
      small.send('POST', path, { body: '{not json', headers: { 'Content-Type': 'text/plain', ...headers } });
    expect((await bad('/leads/nonsense/move', { 'Idempotency-Key': '' })).outcome).toBe('403 FORBIDDEN');
    const full = dealkeep.as(organization.key);
    const wrong = (path: string, headers: Record<string, string> = {}) =>
      full.send('POST', path, { body: '{not json', headers: { 'Content-Type': 'text/plain', ...headers } });
    expect((await wrong('/leads/nonsense/move', { 'Idempotency-Key': '' })).outcome).toBe(
      '400 INVALID_PARAMETER',
    );
    expect((await wrong('/leads/nonsense/move')).outcome).toBe('404 NOT_FOUND');
    expect((await wrong('/leads')).outcome).toBe('400 BAD_REQUEST');
  });

  test('the rate limit comes before the owner, and the credential before the rate limit (rules keys 10 and rate-limits 3)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await setOwner(organization, false);
    await updateOrganization(dealkeep.sql, organization.slug, { requestsPerMinute: 1 });
    expect(await afterASecond(() => api.get('/me'))).toBe('422 TOKEN_OWNER_INACTIVE');
    expect(await afterASecond(() => api.get('/me'))).toBe('429 RATE_LIMITED');
    expect((await dealkeep.as(`${organization.key}x`).get('/me')).outcome).toBe('401 UNAUTHORIZED');
  });

  test('the owner and the subscription come before an unknown address', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await setSubscription(organization, 'lapsed');
    expect((await api.send('GET', '/nonsense')).outcome).toBe('402 PAYMENT_REQUIRED');
  });
});

const declarations = Object.values<OperationDeclaration>(operations);
const requestOf = ({ path, method, body }: OperationDeclaration) => ({
  method,
  path: path
    .replace(/\{(uu)?id\}/, '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63')
    .replace('{type}', 'lead.created')
    .replace(/^\/search$/, '/search?q=tatra'),
  options: body ? { json: {} } : {},
});
/** Whoever creates or updates learns what there is, and needs the scope to read it as well. */
const neededBy = ({ scope, alsoScope }: OperationDeclaration): Scope[] =>
  [scope, alsoScope].filter((each) => typeof each === 'string');

const { organization } = await openBusiness(dealkeep);
await updateOrganization(dealkeep.sql, organization.slug, { maxKeys: 200 });
const credentialOf = (token: string) =>
  dealkeep.core.credentials.find({ authorization: `Bearer ${token}`, userAgent: undefined }, 'api');
const codeOf = (work: () => void): string => {
  try {
    work();
    return 'allowed';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
};

describe('scopes', async () => {
  const credential = await credentialOf(organization.key);
  const keys = new Map<Scope, Promise<{ token: string }>>();
  const keyWithout = (scope: Scope): Promise<{ token: string }> => {
    const key =
      keys.get(scope) ?? organization.createKey({ scopes: allScopes.filter((each) => each !== scope) });
    keys.set(scope, key);
    return key;
  };

  test('each operation needs its own and no other (rule scopes 1)', () => {
    const outcome = (scopes: readonly Scope[], declaration: OperationDeclaration) =>
      codeOf(() => authorize({ ...credential, scopes: new Set(scopes) }, declaration));
    for (const declaration of declarations) {
      const needed = neededBy(declaration);
      expect([declaration.id, outcome(needed, declaration)]).toEqual([declaration.id, 'allowed']);
      for (const scope of allScopes) {
        const others = allScopes.filter((each) => each !== scope);
        const expected = needed.includes(scope) ? 'FORBIDDEN' : 'allowed';
        expect([declaration.id, scope, outcome(others, declaration)]).toEqual([
          declaration.id,
          scope,
          expected,
        ]);
      }
    }
  });

  test.each(declarations.filter(({ scope }) => scope !== null))(
    '$id is refused to a key without $scope, which is named (rule scopes 2)',
    async (declaration) => {
      const { method, path, options } = requestOf(declaration);
      const [scope] = neededBy(declaration);
      if (!scope) throw new Error('Unreachable: only operations with a scope are asked');
      const { token } = await keyWithout(scope);
      const refused = await dealkeep.as(token).send(method, path, options);
      expect(refused.outcome).toBe('403 FORBIDDEN');
      expect(refused.error.message).toContain(scope);
      expect(refused.headers.get('www-authenticate')).toContain(
        `error="insufficient_scope", scope="${scope}"`,
      );
    },
  );

  test('GET /me needs none (rule me 1)', async () => {
    const { token } = await organization.createKey({ scopes: ['products:read'] });
    expect((await dealkeep.as(token).get('/me')).status).toBe(200);
  });
});

describe('a legacy key reads everything but orders and hooks, and writes nothing (rule keys 7)', async () => {
  const { token } = await organization.createKey({ legacy: true });
  const credential = await credentialOf(token);

  test.each(declarations)('$id', (declaration) => {
    const { method, path } = declaration;
    const outcome = codeOf(() => authorize(credential, declaration));
    if (/^\/(orders|webhooks)\b/.test(path)) expect(outcome).toBe('LEGACY_KEY_NOT_ALLOWED');
    else expect(outcome).toBe(method === 'GET' ? 'allowed' : 'FORBIDDEN');
  });

  test('by requests', async () => {
    const api = dealkeep.as(token);
    expect((await api.get('/leads')).outcome).toBe('200');
    expect((await api.get('/orders')).outcome).toBe('403 LEGACY_KEY_NOT_ALLOWED');
    expect((await api.get('/webhooks')).outcome).toBe('403 LEGACY_KEY_NOT_ALLOWED');
    expect((await api.post('/leads', {})).outcome).toBe('403 FORBIDDEN');
    const stream = await fetch(`${dealkeep.origin}/listen`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(stream.status).toBe(403);
  });
});
