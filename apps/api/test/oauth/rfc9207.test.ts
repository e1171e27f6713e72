/**
 * Each MUST of RFC 9207 (issuer identification) that applies to this server, by section. Checking `iss` is the
 * application's.
 */
import { sharedDealkeep } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { consentingOwner } from './authorization-page.ts';
import { registerApp } from './connected-app.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const owner = await consentingOwner(dealkeep, organization);

test('2, 2.1: a code comes with the issuer', async () => {
  const { parameters } = await app.request();
  const { said } = await owner.decide(await owner.open(parameters), 'allow');
  expect(said.getAll('iss')).toEqual([app.server.issuer]);
});

test('2.2: an error comes with the issuer, before the person is asked and after (rule oauth 6)', async () => {
  const { parameters: bad } = await app.request({ scope: 'unknown' });
  expect((await owner.open(bad)).said.getAll('iss')).toEqual([app.server.issuer]);
  const { parameters } = await app.request();
  const { said } = await owner.decide(await owner.open(parameters), 'deny');
  expect(said.getAll('iss')).toEqual([app.server.issuer]);
});

test('2, 2.3: the issuer is the one of the metadata, which say that it comes', () => {
  expect(app.server.authorization_response_iss_parameter_supported).toBe(true);
  expect(app.server.issuer).toBe(dealkeep.core.origin);
  expect(app.server.issuer).not.toMatch(/[?#]|\/$/);
});

test('2.4: an application that was mixed up finds out', async () => {
  const { parameters, state } = await app.request();
  const { location = '' } = await owner.decide(await owner.open(parameters), 'allow');
  const mixedUp = { ...app.server, issuer: 'https://honest.example' };
  const check = (server: oauth.AuthorizationServer) =>
    oauth.validateAuthResponse(server, app.client, new URL(location), state);
  expect(check(app.server).get('code')).toMatch(/^dk_oac_/);
  expect(() => check(mixedUp)).toThrow(/iss/);
});
