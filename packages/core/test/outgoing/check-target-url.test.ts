import { expect, test } from 'vitest';
import { checkTarget, checkTargetUrl, parseAllowedTargets } from '../../src/foundations/outgoing/index.ts';

const none = parseAllowedTargets('');
const publicAddress = '93.184.215.14';

const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address }));

const reasonOf = (text: string, allowed = none) => {
  const check = checkTargetUrl(text, allowed);
  return check.ok ? 'ok' : `${check.code} ${check.reason}`;
};
const reasonOfTarget = async (text: string, addresses: string[], allowed = none) => {
  const check = await checkTarget(text, allowed, { resolve: resolvesTo(...addresses) });
  return check.ok ? 'ok' : `${check.code} ${check.reason}`;
};

const blocked = 'WEBHOOK_URL_BLOCKED private_address';

test.each([
  ['plain', 'https://127.0.0.1/'],
  ['with the default port', 'https://127.0.0.1:443/'],
  ['with a trailing dot', 'https://127.0.0.1./'],
  ['decimal', 'https://2130706433/'],
  ['octal', 'https://0177.0.0.1/'],
  ['octal of many zeros', 'https://0000000177.00.00.01/'],
  ['hexadecimal', 'https://0x7f000001/'],
  ['hexadecimal by parts', 'https://0x7f.0x0.0x0.0x1/'],
  ['mixed bases', 'https://0x7f.0.1/'],
  ['short', 'https://127.1/'],
  ['zero', 'https://0/'],
  ['percent-encoded', 'https://127%2e0%2e0%2e1/'],
  ['percent-encoded digits', 'https://%31%32%37.0.0.1/'],
  ['of circled digits', 'https://①②⑦.⓪.⓪.①/'],
  ['of full-width digits', 'https://１２７.0.0.1/'],
  ['with ideographic dots', 'https://127。0。0。1/'],
  ['with a zero-width space', 'https://127.0.0.\u200b1/'],
  ['cloud metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['cloud metadata in decimal', 'https://2852039166/'],
  ['private', 'https://10.0.0.1/'],
  ['shared', 'https://100.64.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['multicast', 'https://224.0.0.1/'],
  ['IPv6 loopback', 'https://[::1]/'],
  ['IPv6 loopback in full', 'https://[0000:0000:0000:0000:0000:0000:0000:0001]/'],
  ['unspecified', 'https://[::]/'],
  ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped in hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['IPv4-compatible', 'https://[::127.0.0.1]/'],
  ['IPv4-translated', 'https://[::ffff:0:127.0.0.1]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['local NAT64', 'https://[64:ff9b:1::8.8.8.8]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['unique local', 'https://[fd00:ec2::254]/'],
  ['link local', 'https://[fe80::1]/'],
  ['the local machine by name', 'https://localhost/'],
  ['the local machine by a name below', 'https://foo.localhost/'],
  ['the local machine in capitals with a dot', 'https://LOCALHOST./'],
  ['the local machine with a soft hyphen', 'https://loc\u00adalhost/'],
  ['the local machine in circled letters', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/'],
])('an inside address is blocked when written %s', (_how, text) => {
  expect(reasonOf(text)).toBe(blocked);
});

test.each([
  ['malformed', ''],
  ['malformed', 'example.com'],
  ['malformed', '/hook'],
  ['malformed', 'https://'],
  ['malformed', 'https:///example.com/'],
  ['malformed', 'https:example.com'],
  ['malformed', 'https:/example.com'],
  ['malformed', 'https://?query'],
  ['malformed', 'https://:8443/'],
  ['malformed', 'https://./'],
  ['malformed', 'https://a..example.com/'],
  ['malformed', 'https://example.com../'],
  ['malformed', 'https://256.256.256.256/'],
  ['malformed', 'https://1.2.3.4.5/'],
  ['malformed', 'https://example.com:65536/'],
  ['malformed', 'https://example.com:-1/'],
  ['malformed', 'https://[fe80::1%25eth0]/'],
  ['malformed', 'https://[fe80::1%eth0]/'],
  ['malformed', 'https://[::1/'],
  ['malformed', ' https://example.com/'],
  ['malformed', 'https://example.com/ '],
  ['malformed', 'https://exam\tple.com/'],
  ['malformed', 'https://127.0.0.1\n.example.com/'],
  ['malformed', 'https://example.com/a\r\nHost: inside'],
  ['malformed', 'https://example.com/\0'],
  ['malformed', 'https://example.com/\u2028'],
  ['malformed', 'https://example.com/\ud800'],
  ['malformed', 'https://example.com\\@127.0.0.1/'],
  ['malformed', 'https:\\\\example.com/'],
  ['malformed', 'https://exa%00mple.com/'],
  ['not_https', 'http://example.com/'],
  ['not_https', 'http://127.0.0.1/'],
  ['not_https', 'http://localhost/'],
  ['not_https', 'ftp://example.com/'],
  ['not_https', 'file:///etc/passwd'],
  ['not_https', 'javascript:alert(1)'],
  ['not_https', 'wss://example.com/'],
  ['not_https', 'gopher://127.0.0.1:6379/'],
  ['user_information', 'https://user@example.com/'],
  ['user_information', 'https://user:password@example.com/'],
  ['user_information', 'https://example.com@127.0.0.1/'],
  ['user_information', 'https://@example.com/'],
  ['user_information', 'https://:@example.com/'],
  ['port', 'https://example.com:0/'],
  ['port', 'https://example.com:22/'],
  ['port', 'https://example.com:80/'],
  ['port', 'https://example.com:1023/'],
  ['port', 'https://8.8.8.8:25/'],
])('%s: %j is invalid', (reason, text) => {
  expect(reasonOf(text)).toBe(`WEBHOOK_URL_INVALID ${reason}`);
});

test.each([
  'https://example.com',
  'https://example.com/hook?a=b#c',
  'HTTPS://EXAMPLE.com/',
  'https://example.com:/',
  'https://example.com:443/',
  'https://example.com:0443/',
  'https://example.com:1024/',
  'https://example.com:65535/',
  'https://example.com./',
  'https://bücher.example/č',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::8.8.8.8]/',
  'https://[2002:808:808::]/',
  'https://example.com/@me',
  'https://example.com/?u=a@b',
])('%s may be a target', (text) => {
  expect(reasonOf(text)).toBe('ok');
});

test('2048 code points are the longest address, whatever they take in UTF-16 (rule hooks 11)', () => {
  const start = 'https://example.com/';
  expect(reasonOf(start + 'a'.repeat(2048 - start.length))).toBe('ok');
  expect(reasonOf(start + '😀'.repeat(2048 - start.length))).toBe('ok');
  expect(reasonOf(start + 'a'.repeat(2049 - start.length))).toBe('WEBHOOK_URL_INVALID too_long');
  expect(reasonOf(start + '😀'.repeat(2049 - start.length))).toBe('WEBHOOK_URL_INVALID too_long');
});

test('a name is judged by every address it has (rule hooks 13)', async () => {
  const url = 'https://example.com/';
  expect(await reasonOfTarget(url, [publicAddress])).toBe('ok');
  expect(await reasonOfTarget(url, [publicAddress, '2606:4700::1111'])).toBe('ok');
  expect(await reasonOfTarget(url, ['127.0.0.1'])).toBe(blocked);
  expect(await reasonOfTarget(url, [publicAddress, '10.0.0.1'])).toBe(blocked);
  expect(await reasonOfTarget(url, ['::1', publicAddress])).toBe(blocked);
  expect(await reasonOfTarget(url, [publicAddress, '64:ff9b::a9fe:a9fe'])).toBe(blocked);
  expect(await reasonOfTarget(url, ['fe80::1%eth0'])).toBe(blocked);
});

test('a literal address is not resolved', async () => {
  const resolve = () => Promise.reject(new Error('must not be asked'));
  expect(await checkTarget('https://8.8.8.8/', none, { resolve })).toMatchObject({ ok: true });
});

test('no address, an error of the resolver and silence are unresolvable (rule hooks 11)', async () => {
  const unresolvable = { ok: false, code: 'WEBHOOK_URL_INVALID', reason: 'unresolvable' };
  const url = 'https://example.com/';
  expect(await checkTarget(url, none, { resolve: async () => [] })).toEqual(unresolvable);
  const failing = () => Promise.reject(new Error('SERVFAIL'));
  expect(await checkTarget(url, none, { resolve: failing })).toEqual(unresolvable);
  const silent = () => new Promise<never>(() => {});
  expect(await checkTarget(url, none, { resolve: silent, resolveLimitMs: 20 })).toEqual(unresolvable);
});

test('an allowed host may be private, plain http and on any port, and only under that name (rule hooks 14)', async () => {
  const allowed = parseAllowedTargets('n8n, receiver.internal:81, localhost, [::1]');
  expect(await reasonOfTarget('http://n8n:5678/hook', ['172.18.0.3'], allowed)).toBe('ok');
  expect(await reasonOfTarget('http://N8N./hook', ['172.18.0.3'], allowed)).toBe('ok');
  expect(await reasonOfTarget('https://n8n:22/', ['172.18.0.3'], allowed)).toBe('ok');
  expect(await reasonOfTarget('http://receiver.internal:81/', ['10.0.0.1'], allowed)).toBe('ok');
  expect(await reasonOfTarget('http://localhost:3000/', ['127.0.0.1', '::1'], allowed)).toBe('ok');
  expect(reasonOf('http://[::1]/', allowed)).toBe('ok');
  expect(reasonOf('http://receiver.internal/', allowed)).toBe('WEBHOOK_URL_INVALID not_https');
  expect(reasonOf('https://receiver.internal:82/', allowed)).toBe('WEBHOOK_URL_INVALID port');
  expect(await reasonOfTarget('https://other.internal/', ['172.18.0.3'], allowed)).toBe(blocked);
  expect(reasonOf('https://127.0.0.1/', allowed)).toBe(blocked);
  expect(reasonOf('http://127.0.0.1/', allowed)).toBe('WEBHOOK_URL_INVALID not_https');
  expect(reasonOf('https://foo.localhost/', allowed)).toBe(blocked);
});

test('an allowed address as a number does not allow the name of the machine (rule hooks 15)', async () => {
  const allowed = parseAllowedTargets('127.0.0.1');
  expect(reasonOf('http://127.0.0.1:3000/', allowed)).toBe('ok');
  expect(reasonOf('http://2130706433:3000/', allowed)).toBe('ok');
  expect(reasonOf('https://localhost/', allowed)).toBe(blocked);
  expect(await reasonOfTarget('https://example.com/', ['127.0.0.1'], allowed)).toBe(blocked);
  expect(reasonOf('https://[::ffff:127.0.0.1]/', allowed)).toBe(blocked);
});

test('an allowed block decides by the address that a name has', async () => {
  const allowed = parseAllowedTargets('10.0.0.0/8 127.0.0.0/8');
  expect(reasonOf('http://10.1.2.3:81/', allowed)).toBe('ok');
  expect(reasonOf('https://192.168.0.1/', allowed)).toBe(blocked);
  expect(await reasonOfTarget('http://receiver.internal:81/', ['10.0.0.1'], allowed)).toBe('ok');
  expect(await reasonOfTarget('http://localhost/', ['127.0.0.1'], allowed)).toBe('ok');
  expect(await reasonOfTarget('http://localhost/', ['127.0.0.1', '::1'], allowed)).toBe(
    'WEBHOOK_URL_INVALID not_https',
  );
  expect(await reasonOfTarget('https://localhost/', ['127.0.0.1', '::1'], allowed)).toBe(blocked);
  expect(await reasonOfTarget('https://receiver.internal/', ['10.0.0.1', publicAddress], allowed)).toBe('ok');
  expect(await reasonOfTarget('https://receiver.internal:81/', ['10.0.0.1', publicAddress], allowed)).toBe(
    'WEBHOOK_URL_INVALID port',
  );
  expect(await reasonOfTarget('https://receiver.internal/', ['10.0.0.1', '192.168.0.1'], allowed)).toBe(
    blocked,
  );
});

test('plain http never goes to a public address, whatever is allowed (rule hooks 14)', async () => {
  const notHttps = 'WEBHOOK_URL_INVALID not_https';
  const byName = parseAllowedTargets('receiver.example');
  expect(await reasonOfTarget('http://receiver.example/', [publicAddress], byName)).toBe(notHttps);
  expect(await reasonOfTarget('http://receiver.example/', ['10.0.0.1', publicAddress], byName)).toBe(
    notHttps,
  );
  const everything = parseAllowedTargets('0.0.0.0/0 ::/0');
  expect(await reasonOfTarget('http://receiver.example/', [publicAddress], everything)).toBe(notHttps);
  expect(reasonOf('http://8.8.8.8/', everything)).toBe(notHttps);
  expect(reasonOf('http://[64:ff9b::8.8.8.8]/', everything)).toBe(notHttps);
  expect(reasonOf('https://8.8.8.8/', everything)).toBe('ok');
});
