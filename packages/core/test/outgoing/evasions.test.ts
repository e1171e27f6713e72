import { expect, test } from 'vitest';
import { checkTargetUrl, parseAllowedTargets } from '../../src/foundations/outgoing/index.ts';
import { startReceiver } from './receiver.ts';
import { createSender, resolver } from './sender.ts';

const refused = {
  outcome: 'failed',
  reason: 'target_blocked',
  message: 'target is not a public https address',
};

/** Ways to write an address inside, or the name of the machine, as the host of a URL. */
const hosts: [string, string[]][] = [
  ['IPv4 in decimal', ['2130706433', '2852039166', '3232235777']],
  ['IPv4 in octal', ['0177.0.0.1', '017700000001', '0251.0376.0251.0376']],
  ['IPv4 in hex', ['0x7f000001', '0X7F.0.0.1', '0xa9fea9fe', '0x7f.0x0.0x0.0x1']],
  ['IPv4 in mixed bases', ['0x7f.0.01', '127.0x1', '0251.254.0xa9fe']],
  ['IPv4 in short forms', ['127.1', '127.0.1', '10.1', '0', '0.0']],
  ['IPv4-mapped IPv6', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:A9FE:A9FE]']],
  ['IPv4-compatible and IPv4-translated IPv6', ['[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]']],
  ['NAT64, 64:ff9b::/96', ['[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:FF9B:0:0:0:0:a00:1]']],
  ['local NAT64, 64:ff9b:1::/48', ['[64:ff9b:1::7f00:1]', '[64:ff9b:1:ffff::8.8.8.8]']],
  ['6to4', ['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:c0a8:101::8.8.8.8]']],
  ['Teredo', ['[2001::7f00:1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]']],
  ['ISATAP on a link', ['[fe80::5efe:127.0.0.1]', '[fe80::200:5efe:7f00:1]']],
  ['inside IPv6', ['[::1]', '[::]', '[fe80::1]', '[fec0::1]', '[fd00:ec2::254]', '[ff02::1]']],
  ['cloud metadata and carriers', ['169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192']],
  ['full-width digits', ['１２７.０.０.１', '２１３０７０６４３３', '０ｘ７ｆ.1']],
  ['full-width and ideographic dots', ['127。0。0。1', '127．0．0．1', '127｡0｡0｡1']],
  ['circled and superscript digits', ['①②⑦.⓪.⓪.①', '¹²⁷.⁰.⁰.¹', '𝟏𝟐𝟕.𝟎.𝟎.𝟏']],
  [
    'IDN look-alikes of localhost',
    ['ｌｏｃａｌｈｏｓｔ', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ℓocalhoſt', '𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭', 'LOCALHOST'],
  ],
  ['invisible letters', ['loc\u00adalhost', 'local\u200bhost', '127.0.0.\u20601']],
  ['trailing dots', ['127.0.0.1.', '2130706433.', 'localhost.', 'foo.localhost.', 'localhost。']],
  ['percent-encoded hosts', ['%6c%6f%63alhost', '127%2e0%2e0%2e1', '%31%32%37.1', '%EF%BC%9127.1']],
  ['percent-encoded full stops of other scripts', ['127%E3%80%820%E3%80%820%E3%80%821']],
  ['names of the machine', ['localhost', 'foo.localhost', 'a.b.LocalHost']],
];

test.each(hosts)(
  '%s: refused by the check and at each send, asked of no name server',
  async (_what, forms) => {
    const receiver = await startReceiver();
    const resolve = resolver(() => ['93.184.215.14']);
    const { send } = createSender({ allowed: '', resolve });
    for (const host of forms) {
      const url = `https://${host}:${receiver.port}/`;
      expect(checkTargetUrl(url, parseAllowedTargets('')), host).toMatchObject({ ok: false });
      expect(await send(url), host).toMatchObject(refused);
    }
    expect(resolve.questions).toEqual([]);
    expect(receiver.connections).toEqual([]);
  },
);

test.each([
  ['zone ids', ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%25lo]', '127.0.0.1%25lo']],
  ['a host that is another host to others', ['example.com\\@127.0.0.1', '127.0.0.1\t', 'a\n.example']],
  ['more trailing dots than one', ['127.0.0.1..', 'localhost..', '.localhost']],
  [
    'percent-encoded delimiters',
    ['127.0.0.1%00.example.com', '127.0.0.1%2f.example.com', '127.0.0.1%40a.example'],
  ],
  ['numbers that overflow', ['4294967296', '0x100000000', '127.0.0.256', '1.2.3.4.5']],
])('%s: the check refuses it as a URL', (_what, forms) => {
  for (const host of forms) {
    expect(checkTargetUrl(`https://${host}/`, parseAllowedTargets('')), host).toMatchObject({ ok: false });
  }
});

test.each([
  ['an IPv4 address inside', ['10.0.0.8']],
  ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
  ['an IPv4-mapped address in hex', ['::ffff:a9fe:a9fe']],
  ['a NAT64 address', ['64:ff9b::10.0.0.8']],
  ['a local NAT64 address', ['64:ff9b:1::8.8.8.8']],
  ['a 6to4 address', ['2002:a00:8::1']],
  ['a Teredo address', ['2001:0:4136:e378:8000:63bf:80ff:fffe']],
  ['an address with a zone id', ['fe80::1%eth0']],
  ['a good address with a zone id', ['2606:4700:4700::1111%lo']],
  ['a number that is no address', ['2130706433']],
  ['a good address first and one inside last', ['93.184.215.14', '2606:4700:4700::1111', '127.0.0.1']],
  ['an address inside first and a good one last', ['::1', '93.184.215.14']],
])(
  'a name, also one that looks like another, that has %s is refused, and nothing connected',
  async (_what, addresses) => {
    const receiver = await startReceiver();
    const { send } = createSender({ allowed: '', resolve: resolver(() => addresses) });
    // The second with a Cyrillic o, the third as services answer that resolve what stands in the name.
    for (const host of [
      'receiver.example',
      'lоcalhost.example',
      '127.0.0.1.nip.example',
      'receiver.example.',
    ]) {
      expect(await send(`https://${host}:${receiver.port}/`), host).toMatchObject(refused);
    }
    expect(receiver.connections).toEqual([]);
  },
);

test.each([
  'https://public.example@127.0.0.1',
  'https://public.example:443@127.0.0.1',
  'https://user:password@[::1]',
  'https://public.example%2f@localhost',
])('%s: the user in front is no host, and the host behind is refused', async (start) => {
  const receiver = await startReceiver();
  const { send } = createSender({ allowed: '', resolve: resolver(() => ['93.184.215.14']) });
  const url = `${start}:${receiver.port}/`;
  expect(checkTargetUrl(url, parseAllowedTargets(''))).toMatchObject({ reason: 'user_information' });
  expect(await send(url)).toMatchObject(refused);
  expect(receiver.connections).toEqual([]);
});

test.each([0, 1, 22, 25, 53, 80, 110, 143, 445, 465, 587, 853, 993, 1023])(
  'port %d of a public host: refused by the check and at each send',
  async (port) => {
    const resolve = resolver(() => ['93.184.215.14']);
    const { send } = createSender({ allowed: '', resolve });
    for (const host of ['receiver.example', '8.8.8.8', '[2606:4700:4700::1111]']) {
      const url = `https://${host}:${port}/`;
      expect(checkTargetUrl(url, parseAllowedTargets(''))).toMatchObject({ reason: 'port' });
      expect(await send(url)).toMatchObject(refused);
    }
    expect(resolve.questions).toEqual([]);
  },
);
