import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyDelivery } from '../src/triggers/verify-delivery.ts';

const secret = 'whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZSE=';
const content = '{"id":"evt_1","type":"lead.created","data":{"name":"Žltý kôň"}}';
const signed = (by = secret, at = new Date('2020-01-01T00:00:00Z')) => ({
  'Http-Webhook-Id': 'evt_1',
  'Http-Webhook-Timestamp': String(at.getTime() / 1000),
  'Http-Webhook-Signature': new Webhook(by).sign('evt_1', at, content),
});

describe('a delivery (rule connectors 7)', () => {
  test('signed as Standard Webhooks says is genuine, however old', () => {
    expect(verifyDelivery(secret, { headers: signed(), content })).toEqual({ id: 'evt_1', content });
  });

  test('is genuine with header names in any form', () => {
    const headers = Object.entries(signed()).map(([name, value]) => [name.slice(5).toLowerCase(), value]);
    expect(verifyDelivery(secret, { headers: Object.fromEntries(headers), content })).toBeDefined();
  });

  test('is genuine when one of several signatures matches', () => {
    const headers = signed();
    const other = signed('whsec_YW5vdGhlciBzZWNyZXQsIGZvciByb3RhdGlvbiE=')['Http-Webhook-Signature'];
    const both = { ...headers, 'Http-Webhook-Signature': `${other} ${headers['Http-Webhook-Signature']}` };
    expect(verifyDelivery(secret, { headers: both, content })).toBeDefined();
  });

  test.each<[string, Record<string, string>, string | undefined]>([
    ['a changed body', signed(), content.replace('kôň', 'kon')],
    ['no body', signed(), undefined],
    ['another secret', signed('whsec_YW5vdGhlciBzZWNyZXQsIGZvciByb3RhdGlvbiE='), content],
    ['another id', { ...signed(), 'Http-Webhook-Id': 'evt_2' }, content],
    ['another time', { ...signed(), 'Http-Webhook-Timestamp': '1' }, content],
    ['no signature', { ...signed(), 'Http-Webhook-Signature': '' }, content],
    ['a signature of an unknown version', { ...signed(), 'Http-Webhook-Signature': 'v2,AAAA' }, content],
    ['garbage for a signature', { ...signed(), 'Http-Webhook-Signature': 'v1,%%% ,, v1 v1,' }, content],
    ['no headers', {}, content],
  ])('with %s is not genuine', (_, headers, body) => {
    const request = { headers, ...(body === undefined ? {} : { content: body }) };
    expect(verifyDelivery(secret, request)).toBeUndefined();
  });
});
