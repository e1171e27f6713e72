import { limits, type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { api } = await openBusiness(dealkeep);
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const target = 'http://127.0.0.1:4567/';

const json = { 'Content-Type': 'application/json' };
/** Bodies that no operation takes. */
const badBodies = {
  'no JSON': { body: '{not json', headers: json },
  'JSON that is no object': { body: '[1]', headers: json },
  'another content type': { body: '{}', headers: { 'Content-Type': 'text/plain' } },
  'no UTF-8': { body: new Uint8Array([0x7b, 0xff, 0x7d]), headers: json },
  'an unknown field': { json: { nonsense: true } },
  // What the contract takes and verbs refuse: of their references, of the outside, of the events.
  'bad values': {
    json: { name: 7, stage_id: nobody, owner_id: nobody, target_url: 'http://10.0.0.1/', events: ['x'] },
  },
} as const;

const changing = Object.values<OperationDeclaration>(operations).filter(
  ({ method, path }) => /\{(?:uu)?id\}/.test(path) && (method === 'POST' || method === 'PATCH'),
);
const addressOf = ({ path }: OperationDeclaration, id: string): string =>
  path.replace(/\{(?:uu)?id\}/, id).replace('{delivery_id}', 'evt_unknown');

test.each(changing)(
  '$id of a record that does not exist is 404 whatever its body is (rules keys 10 and http 5)',
  async (each) => {
    for (const [name, options] of Object.entries(badBodies)) {
      // Another form of the id makes no difference to the body.
      for (const id of name === 'no JSON' ? [nobody, nobody.toUpperCase(), 'no-id'] : [nobody]) {
        const refused = await api.send(each.method, addressOf(each, id), options);
        expect([name, refused.outcome]).toEqual([name, '404 NOT_FOUND']);
      }
    }
  },
);

test('the record comes after the size of the body and the Idempotency-Key (rule keys 10)', async () => {
  const large = JSON.stringify({ lost_note: 'x'.repeat(limits.bodyBytes) });
  const sent = (options: object) => api.send('POST', `/leads/${nobody}/move`, { headers: json, ...options });
  expect((await sent({ body: large })).outcome).toBe('400 BAD_REQUEST');
  expect((await sent({ body: '{', headers: { ...json, 'Idempotency-Key': '' } })).outcome).toBe(
    '400 INVALID_PARAMETER',
  );
  for (const replayed of [null, 'true']) {
    const refused = await sent({ body: '{', headers: { ...json, 'Idempotency-Key': 'unknown record' } });
    expect([refused.outcome, refused.headers.get('idempotent-replayed')]).toEqual([
      '404 NOT_FOUND',
      replayed,
    ]);
  }
});

test('a body that only the verb can refuse is looked at after the record, too (rule keys 10)', async () => {
  const lead = (await api.post('/leads', { name: 'Bikes' })).data.id;
  const hook = (await api.post('/webhooks', { target_url: target, event: 'lead.created' })).data.id;
  for (const [method, path, own, body, code] of [
    ['PATCH', '/leads/{id}', lead, { owner_id: nobody }, '422 VALIDATION_ERROR'],
    ['POST', '/leads/{id}/move', lead, { stage_id: nobody }, '422 VALIDATION_ERROR'],
    ['PATCH', '/webhooks/{id}', hook, { target_url: 'http://10.0.0.1/' }, '422 WEBHOOK_URL_INVALID'],
    ['POST', '/webhooks/{id}/test', hook, { event: 'lead.eaten' }, '422 UNKNOWN_EVENT'],
    ['POST', '/webhooks/{id}/recover', hook, { since: '2999-01-01T00:00:00Z' }, '422 VALIDATION_ERROR'],
  ] as const) {
    const ask = async (id: string) =>
      (await api.send(method, path.replace('{id}', id), { json: body })).outcome;
    expect([path, await ask(own), await ask(nobody)]).toEqual([path, code, '404 NOT_FOUND']);
  }
});

test('an item of a batch on a record that does not exist is 404 whatever its fields are (rule keys 10)', async () => {
  const lead = (await api.post('/leads', { name: 'Bikes' })).data.id;
  const items = [lead, nobody].flatMap((id) => [
    { id, nonsense: true },
    { id, owner_id: nobody },
  ]);
  const { data } = await api.send<{ status: number }[]>('POST', '/leads/batch', {
    json: { operation: 'update', items },
  });
  expect(data.map(({ status }) => status)).toEqual([422, 422, 404, 404]);
});
