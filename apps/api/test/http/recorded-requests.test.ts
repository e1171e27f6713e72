import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { rawRequest } from '../bad-input/raw-request.ts';

// What a client sends that openapi-python-client 0.29.1 has generated of the OpenAPI document, with httpx 0.28.1:
// recorded byte by byte, but for the key, the host and the ids. It sends lists one value at a time, date-times with
// the offset that the program gave them, defaults of the document, and a PATCH as a merge patch.

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);

const headersOf = (more: Readonly<Record<string, string | number>>): string =>
  Object.entries({
    Host: new URL(dealkeep.origin).host,
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    Connection: 'keep-alive',
    'User-Agent': 'python-httpx/0.28.1',
    Authorization: `Bearer ${organization.key}`,
    ...more,
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

async function send(line: string, body?: { readonly type: string; readonly text: string }) {
  const more = body ? { 'Content-Type': body.type, 'Content-Length': Buffer.byteLength(body.text) } : {};
  const request = `${line} HTTP/1.1\r\n${headersOf(more)}\r\n${body?.text ?? ''}`;
  const answer = await rawRequest(dealkeep.origin, [request]);
  return { status: answer.status, json: JSON.parse(answer.body) };
}

const json = 'application/json';
const root = '/api/v1/public';

test('lists with several values of a filter, with offsets, dates and booleans (rules lists 17 and bodies 18)', async () => {
  const { stages } = await defaultPipeline(api);
  const owner = organization.ownerId;
  const lead = async (stage: string) =>
    (
      await api.post('/leads', {
        name: `žltý & co ${stage}`,
        owner_id: owner,
        stage_id: stages[stage] ?? '',
        expected_close_date: '2030-11-30',
      })
    ).data.id;
  const [open, won, lost] = [await lead('New'), await lead('Won'), await lead('Lost')];
  const listed = await send(
    `GET ${root}/leads?limit=50&created_after=2026-09-01T10%3A30%3A00%2B02%3A00&sort=-created_at&q=%C5%BElt%C3%BD+%26+co&status=open&status=won&owner_id=${owner}&owner_id=01985f6e-2c41-7001-8a2b-3c4d5e6f7081&expected_close_before=2030-12-01&archived=false`,
  );
  expect([listed.status, listed.json.data.map(({ id }: { id: string }) => id)]).toEqual([200, [won, open]]);
  expect(JSON.stringify(listed.json)).not.toContain(lost);
  for (const line of [
    `GET ${root}/leads?limit=50&sort=-created_at&status=open`,
    `GET ${root}/companies?limit=50&created_after=2026-09-01T10%3A30%3A15.123456%2B00%3A00&sort=-created_at&country_code=SK&country_code=CZ`,
    `GET ${root}/tasks?limit=50&sort=-created_at&completed=false&priority=high&priority=low&due_after=2026-01-31`,
    `GET ${root}/webhooks`,
    `GET ${root}/events?limit=50&wait=0`,
  ]) {
    expect([line, (await send(line)).status]).toEqual([line, 200]);
  }
});

test('creations and a merge patch (rules bodies 1 and bodies 18)', async () => {
  const lead = await send(`POST ${root}/leads`, {
    type: json,
    text: '{"name":"Bikes","value":18500.5,"expected_close_date":"2026-11-30"}',
  });
  expect([lead.status, lead.json.data.value]).toEqual([201, 18500.5]);
  const changed = await send(`PATCH ${root}/leads/${lead.json.data.id}`, {
    type: 'application/merge-patch+json',
    text: '{"owner_id":null,"note":"Called"}',
  });
  expect([changed.status, changed.json.data.note]).toEqual([200, 'Called']);
  const activity = await send(`POST ${root}/activities`, {
    type: json,
    text: '{"name":"Call","start_at":"2026-12-01T09:00:00+02:00","end_at":"2026-12-01T09:45:30.250000+02:00"}',
  });
  expect(activity.json.data).toMatchObject({
    start_at: '2026-12-01T07:00:00.000Z',
    end_at: '2026-12-01T07:45:30.250Z',
  });
  const task = await send(`POST ${root}/tasks`, {
    type: json,
    text: '{"title":"Call","due_date":"2026-12-01","due_time":"09:30"}',
  });
  expect(task.json.data).toMatchObject({ due_date: '2026-12-01', due_time: '09:30' });
});
