/**
 * Each MUST and MUST NOT of RFC 7636 (PKCE) that applies to this server, by section. Those that do not:
 * - 4.1, 4.2, 4.5, 7.1: the verifier and its challenge are made by the application.
 * - 4.3, 4.4.1 in part: `plain` is not supported, so nothing falls back to it.
 * - 5: applications that do not know PKCE are not served.
 */
import { createHash } from 'node:crypto';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { consentingOwner } from './authorization-page.ts';
import { registerApp } from './connected-app.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const owner = await consentingOwner(dealkeep, organization);
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

test.each([
  ['no challenge', { code_challenge: '' }],
  ['no method, which would be plain', { code_challenge_method: '' }],
  ['the method plain', { code_challenge_method: 'plain' }],
  ['a method that is not known', { code_challenge_method: 'S512' }],
  ['the method in another case', { code_challenge_method: 's256' }],
  ['a challenge that is padded', { code_challenge: `${'A'.repeat(43)}=` }],
  ['a challenge that is too short', { code_challenge: 'A'.repeat(42) }],
  ['a challenge that is no base64url', { code_challenge: `${'A'.repeat(42)}+` }],
])(
  '4.4.1: a request with %s is invalid_request, before the person is asked (rule oauth 5)',
  async (_what, changes) => {
    const { parameters } = await app.request(changes);
    const { status, said } = await owner.open(parameters);
    expect([status, said.get('error')]).toEqual([303, 'invalid_request']);
  },
);

test('4.4: the challenge does not leave with the code', async () => {
  const { parameters } = await app.request();
  const { location } = await owner.decide(await owner.open(parameters), 'allow');
  expect(location).toContain('code=');
  expect(location).not.toContain(parameters.get('code_challenge'));
});

test.each([
  ['another verifier', 'B'.repeat(43)],
  ['the challenge itself, as plain would have it', 'challenge'],
  ['a verifier with a character too many', 'longer'],
])('4.6: a code is not redeemed with %s, and then still with the right one', async (_what, verifier) => {
  const { form } = await app.grant(organization);
  const right = form['code_verifier'] ?? '';
  const wrong =
    verifier === 'challenge' ? challengeOf(right) : verifier === 'longer' ? `${right}A` : verifier;
  const answer = await app.post({ ...form, code_verifier: wrong });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  expect((await app.post(form)).status).toBe(200);
});

test('4.5, 4.6: a code is not redeemed without a verifier', async () => {
  const { form } = await app.grant(organization);
  const answer = await app.post({ ...form, code_verifier: '' });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
});

test.each([
  ['42 characters', 'A'.repeat(42), 400],
  ['43 characters', 'A'.repeat(43), 200],
  ['128 characters, all that there are', 'Az09-._~'.repeat(16), 200],
  ['129 characters', 'A'.repeat(129), 400],
  ['a character that is reserved', `${'A'.repeat(42)}+`, 400],
])('4.1: a verifier of %s', async (_what, verifier, status) => {
  const { form } = await app.grant(organization, { code_challenge: challengeOf(verifier) });
  expect((await app.post({ ...form, code_verifier: verifier })).status).toBe(status);
});

test('4.2, appendix B: the example of the RFC is verified', async () => {
  const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' };
  const { form } = await app.grant(organization, challenge);
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  expect(challengeOf(verifier)).toBe(challenge.code_challenge);
  expect((await app.post({ ...form, code_verifier: verifier })).status).toBe(200);
});
