import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import type { ReceivedRequest } from '../platform/hook-receiver.ts';
import type { Zap } from '../platform/zap.ts';
import type { World } from './world.ts';

type Headers = Readonly<Record<string, string>>;

/** What may arrive at the address of a Zap, which everybody who knows it can post to. */
export function deliveryPromises(world: World): void {
  let zap: Zap;
  let live: ReceivedRequest;

  beforeAll(async () => {
    zap = world.zap('lead_created');
    await zap.turnOn();
    await world.newLead();
    live = await zap.delivery();
    return () => zap.turnOff();
  });

  const secret = () => String(zap.subscription['secret']);
  const otherSecret = 'whsec_YW5vdGhlciBzZWNyZXQsIGZvciByb3RhdGlvbiE=';
  const header = (name: string) => live.headers[name] ?? '';
  const withHeaders = (headers: Headers): ReceivedRequest => ({
    ...live,
    headers: { ...live.headers, ...headers },
  });
  /** The delivery with this content, signed as the service signs. */
  const signed = (content: string, by = secret(), id = `evt_${randomUUID().replaceAll('-', '')}`) => {
    const at = new Date();
    return {
      ...withHeaders({
        'Http-Webhook-Id': id,
        'Http-Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
        'Http-Webhook-Signature': new Webhook(by).sign(id, at, content),
      }),
      content,
    };
  };
  const changed = (change: (envelope: Record<string, unknown>) => object): ReceivedRequest =>
    signed(JSON.stringify(change(JSON.parse(live.content))));

  test.each<[string, (live: ReceivedRequest) => ReceivedRequest]>([
    ['without any header', (live) => ({ ...live, headers: {} })],
    ['without a signature', () => withHeaders({ 'Http-Webhook-Signature': '' })],
    ['with the signature of another hook', (live) => signed(live.content, otherSecret)],
    [
      'with several signatures, none of them right',
      (live) => {
        const wrong = signed(live.content, otherSecret).headers['Http-Webhook-Signature'] ?? '';
        return withHeaders({
          'Http-Webhook-Signature': `${wrong} v1,AAAA v2,${header('Http-Webhook-Signature').slice(3)}`,
        });
      },
    ],
    ['with another id', () => withHeaders({ 'Http-Webhook-Id': 'evt_1' })],
    ['with another time', () => withHeaders({ 'Http-Webhook-Timestamp': '1' })],
    [
      'that was written anew',
      (live) => ({ ...live, content: JSON.stringify(JSON.parse(live.content), null, 1) }),
    ],
    ['that holds nothing', (live) => ({ ...live, content: '' })],
  ])('one %s starts nothing', async (_, forge) => {
    expect(await zap.runs(forge(live))).toEqual([]);
  });

  test.each<[string, string]>([
    ['no JSON', 'hello'],
    ['a list', '[]'],
    ['nothing of an event', '{}'],
    ['an event of no type', '{"type":7,"data":{}}'],
    ['an event of an unknown type', '{"id":"evt_1","type":"lead.vanished","data":{}}'],
    ['an event that has the name of something else', '{"type":"constructor","data":{}}'],
    ['an event that the Zap is not for', '{"id":"evt_1","type":"lead.won","data":{}}'],
  ])('one that is signed but holds %s starts nothing', async (_, content) => {
    expect(await zap.runs(signed(content))).toEqual([]);
  });

  test('one with several signatures of which one is right starts a run', async () => {
    const one = changed((envelope) => envelope);
    const other = signed(one.content, otherSecret).headers['Http-Webhook-Signature'];
    const both = `${other} ${one.headers['Http-Webhook-Signature']}`;
    const headers = { ...one.headers, 'Http-Webhook-Signature': both };
    expect(await zap.runs({ ...one, headers })).toHaveLength(1);
  });

  test('fields of a newer version are left out, of the event and of the record', async () => {
    const newer = changed((envelope) => ({
      ...envelope,
      invented_later: true,
      data: { ...Object(envelope['data']), invented_later: { deep: 1 }, ['__proto__']: { polluted: 1 } },
    }));
    const [run] = await zap.runs(newer);
    expect(Object.keys(run ?? {})).toEqual(Object.keys((await zap.samples())[0] ?? {}));
  });

  test('a huge one with letters of any language starts a run with all of them', async () => {
    const note = 'Ľúbezný žltý kôň 🚲 '.repeat(50_000);
    const huge = changed((envelope) => ({ ...envelope, data: { ...Object(envelope['data']), note } }));
    expect(await zap.runs(huge)).toMatchObject([{ note }]);
  });
}
