import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

// The client of these tests asks for the four headers and X-Request-Id of every answer it gets, in every test.
const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep, { usualRateLimits: true });
const authorization = `Bearer ${organization.key}`;

describe('every response, whatever it answers (rules http 13, versioning 2 and rate-limits 5)', () => {
  test.each([
    ['a record', 'GET', '/api/v1/public/me', 200],
    ['no record', 'GET', '/api/v1/public/leads/x', 404],
    ['an unknown path', 'GET', '/api/v1/public/nonsense', 404],
    ['a bad parameter', 'GET', '/api/v1/public/leads?limit=0', 400],
    ['no content', 'DELETE', '/api/v1/public/webhooks/{hook}', 204],
    ['HEAD', 'HEAD', '/api/v1/public/me', 200],
    ['above the API', 'GET', '/api', 404],
    ['an address beside the API', 'GET', '/api/v2/leads', 404],
    ['the description', 'GET', '/api/v1/openapi/public-v1.json', 200],
    ['its preflight', 'OPTIONS', '/api/v1/openapi/public-v1.yaml', 204],
    ['health', 'GET', '/healthz', 200],
    ['readiness', 'GET', '/readyz', 200],
  ])('%s', async (_, method, path, status) => {
    const hook = path.includes('{hook}')
      ? (await api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' })).data.id
      : '';
    const response = await fetch(dealkeep.origin + path.replace('{hook}', hook), {
      method,
      headers: { Authorization: authorization },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-service-api-version')).toBe('2026-10-01');
    expect(response.headers.get('x-ratelimit-limit')).toBe('120');
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBeLessThanOrEqual(120);
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(1);
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(60);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-powered-by')).toBeNull();
    if (status >= 400) {
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({ error: expect.objectContaining({ code: expect.any(String) }) });
    }
  });

  test.each(['', '?client_id=dkapp_unknown'])(
    'also the page where people allow an application: /oauth/authorize%s',
    async (query) => {
      const { status, headers } = await fetch(`${dealkeep.origin}/oauth/authorize${query}`, {
        redirect: 'manual',
      });
      expect(status).toBe(400);
      expect(headers.get('content-type')).toContain('text/html');
      expect(headers.get('x-service-api-version')).toBe('2026-10-01');
      for (const name of ['limit', 'remaining', 'reset'])
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('has a request id of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.get('/me')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(5);
  });
});

describe('Accept-Language (rule http 8)', () => {
  const slovak = 'Taký záznam v tejto organizácii nie je.';
  const english = 'There is no such record in this organization.';
  test.each([
    ['sk', slovak],
    ['cs', slovak],
    ['SK', slovak],
    ['sk-SK', slovak],
    ['cs-CZ', slovak],
    ['sk-SK,sk;q=0.9,en;q=0.8', slovak],
    ['en;q=0.8, sk;q=0.9', slovak],
    ['de;q=0.1, cs', slovak],
    ['sk;q=0.5, *;q=0.1', slovak],
    ['fr;q=0.2, sk ; q=0.3', slovak],
    ['en;Q=0.1, sk;Q=0.2', slovak],
    ['sk;q=1.000, en;q=0.999', slovak],
    ['en', english],
    ['en-GB', english],
    ['de', english],
    ['de, sk;q=0.9', english],
    ['sk;q=0', english],
    ['sk;q=0, en;q=0.1', english],
    ['sk;q=0.8, en;q=0.9', english],
    ['*', english],
    ['*, sk;q=0.9', english],
    ['skr', english],
    ['slovak', english],
    ['', english],
    [',,;;==', english],
    ['sk;q=nonsense, en', english],
    ['1'.repeat(5000), english],
  ])('%j', async (header, message) => {
    const answer = await api.with({ 'Accept-Language': header }).get('/leads/x');
    expect(answer.error).toEqual({ code: 'NOT_FOUND', message });
  });

  test('without it the answer is English', async () => {
    const response = await fetch(`${dealkeep.baseUrl}/leads/x`, {
      headers: { Authorization: authorization, 'Accept-Language': '' },
    });
    expect(await response.text()).toContain(english);
  });

  test('changes the messages, not the codes, of every field and parameter (rule errors 2)', async () => {
    const body = { name: 5, value: -1, stage_id: 'x', dedupe: 'y', nonsense: 1, note: 'a\0' };
    const [english, slovak] = await Promise.all([
      api.with({ 'Accept-Language': 'en' }).post('/leads', body),
      api.with({ 'Accept-Language': 'sk' }).post('/leads', body),
    ]);
    expect(slovak.fields).toEqual(english.fields);
    expect(slovak.error.message).not.toBe(english.error.message);
    const texts = (answer: typeof english) =>
      [...answer.text.matchAll(/"message":"([^"]*)"/g)].map(([, text]) => text);
    for (const [index, text] of texts(slovak).entries()) expect(text).not.toBe(texts(english)[index]);

    const parameter = await api.with({ 'Accept-Language': 'cs' }).get('/leads', { limit: 0 });
    expect(parameter.error).toEqual({
      code: 'INVALID_PARAMETER',
      message: 'Parameter „limit“ nie je platný: Hodnota musí byť aspoň 1.',
      detail: { parameter: 'limit' },
    });
  });
});
