import { getWebhookWithHealth } from '@dealkeep/core/delivering';
import { Browser, eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;
const hooksPath = '/integrations/webhooks';
const value = 'Bearer of-the-receiver';

/** The form of a new webhook as an owner fills it in, a header by the button that adds a row. */
async function newForm() {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const receiver = await startHookReceiver();
  const form = await browser.fill(`${hooksPath}/new`, `${hooksPath}/new`, { do: 'add:headers' });
  const good = { name: 'Warehouse', target_url: receiver.url, events: 'lead.created', do: 'save' };
  const make = async (fields: Record<string, string>) => {
    const made = await browser.submit(form, `${hooksPath}/new`, { ...good, ...fields });
    const [hook] = await sql<
      { id: string }[]
    >`select id from webhooks where organization_id = ${organization.id}`;
    return { made, id: hook?.id ?? '', address: `${hooksPath}/${hook?.id}` };
  };
  return { organization, browser, receiver, form, make, api: dealkeep.as(organization.key) };
}

const wishes = {
  'headers[0].name': 'Authorization',
  'headers[0].value': value,
  max_per_minute: '30',
  asymmetric_signature: 'true',
};

test('headers, the pace and the key pair are asked for in the form and shown on the page, values masked, in both languages', async () => {
  const { make, browser, receiver, organization, api } = await newForm();
  const { made, id, address } = await make(wishes);
  expect(made.status).toBe(200);
  const { public_key: publicKey } = await getWebhookWithHealth(core, organization, id);
  expect(publicKey).toMatch(/^whpk_/);
  const page = await browser.get(address);
  expect(textOf(page.html)).toContain('Headers Authorization: ••••iver');
  expect(textOf(page.html)).toContain(`At most per minute 30`);
  expect(textOf(page.html)).toContain(`Public key (Ed25519) ${publicKey}`);
  expect(page.html).toContain('data-copy="public-key"');
  const slovak = textOf((await browser.get(`${address}?language=sk`)).html);
  for (const part of ['Hlavičky Authorization', 'Najviac za minútu 30', 'Verejný kľúč (Ed25519) whpk_']) {
    expect(slovak).toContain(part);
  }
  await api.post('/leads', { name: 'One' });
  const [request] = await receiver.received(1);
  expect(request?.headers).toMatchObject({
    authorization: value,
    'webhook-signature': expect.stringContaining(' v1a,'),
  });
  for (const path of [address, `${address}/edit`, hooksPath]) {
    expect((await browser.get(path)).html).not.toContain(value);
  }
});

test('the form of a change shows no value; left empty it stays, and another header comes beside it', async () => {
  const { make, browser, organization } = await newForm();
  const { id, address } = await make(wishes);
  const edit = `${address}/edit`;
  const form = await browser.get(edit);
  expect(form.html).toMatch(/name="headers\[0\]\.name"[^>]*value="Authorization"/);
  expect(form.html).toMatch(/name="headers\[0\]\.value"[^>]*value=""[^>]*autocomplete="off"/);
  await browser.submit(form, edit, { name: 'Renamed', do: 'save' });
  const sealed = async () => (await getWebhookWithHealth(core, organization, id)).headers;
  expect(await sealed()).toEqual([{ name: 'Authorization', value: '••••iver' }]);
  const wider = await browser.fill(edit, edit, { do: 'add:headers' });
  const second = { 'headers[1].name': 'X-Tenant', 'headers[1].value': 'warehouse-north' };
  expect((await browser.submit(wider, edit, { ...second, do: 'save' })).location).toBe(
    `${address}?done=saved`,
  );
  expect(await sealed()).toEqual([
    { name: 'Authorization', value: '••••iver' },
    { name: 'X-Tenant', value: '••••orth' },
  ]);
  const fewer = await browser.fill(edit, edit, { do: 'remove:headers:0' });
  await browser.submit(fewer, edit, { max_per_minute: '', asymmetric_signature: 'false', do: 'save' });
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject({
    headers: [{ name: 'X-Tenant', value: '••••orth' }],
    max_per_minute: null,
    public_key: null,
  });
});

/** Where nothing is made. */
let refusing: ReturnType<typeof newForm> | undefined;

test.each([
  [
    'a header of the connection',
    { 'headers[0].name': 'Content-Type', 'headers[0].value': 'a' },
    'headers[0].name',
  ],
  ['a name that is none', { 'headers[0].name': 'X A', 'headers[0].value': 'a' }, 'headers[0].name'],
  [
    'a value of several lines',
    { 'headers[0].name': 'X-A', 'headers[0].value': 'a\r\nX-B: b' },
    'headers[0].value',
  ],
  ['letters beyond ASCII', { 'headers[0].name': 'X-A', 'headers[0].value': 'kľúč' }, 'headers[0].value'],
  ['no value', { 'headers[0].name': 'X-A' }, 'headers[0].value'],
  ['no attempt a minute', { max_per_minute: '0' }, 'max_per_minute'],
  ['less than none', { max_per_minute: '-1' }, 'max_per_minute'],
  ['too many a minute', { max_per_minute: '1000000000' }, 'max_per_minute'],
])('is refused beside its field: %s', async (_, fields: Record<string, string>, beside) => {
  refusing ??= newForm();
  const { made, id } = await (await refusing).make(fields);
  expect(made.status).toBe(422);
  expect(problemBeside(made.html, beside)).toEqual(expect.any(String));
  expect(id).toBe('');
});

test('the page and the list say that a webhook waits for its pace', async () => {
  const { make, browser, receiver, api } = await newForm();
  const { address } = await make({ max_per_minute: '1' });
  for (const name of ['One', 'Two', 'Three']) await api.post('/leads', { name });
  await receiver.received(1);
  await eventually(async () => {
    expect(textOf((await browser.get(address)).html)).toContain('Waits for its pace 2 due');
  });
  expect(textOf((await browser.get(hooksPath)).html)).toContain('Waits for its pace');
  expect(textOf((await browser.get(`${address}?language=sk`)).html)).toContain(
    'Čaká na svoje tempo 2 na odoslanie',
  );
});
