import { allScopes, type OperationDeclaration, operations } from '@dealkeep/contract';
import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectAssistant } from './assistant.ts';

const dealkeep = await sharedDealkeep();

type Assistant = Awaited<ReturnType<typeof connectAssistant>>;

async function read(assistant: Assistant, uri: string): Promise<unknown> {
  const { contents } = await assistant.readResource({ uri });
  expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
  const [content] = contents;
  return content && 'text' in content ? JSON.parse(content.text) : undefined;
}

const urisOf = async (assistant: Assistant) => {
  const { resources } = await assistant.listResources();
  const { resourceTemplates } = await assistant.listResourceTemplates();
  return [...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)];
};

describe.each(['modern', 'legacy'] as const)(
  'the resources of an assistant of the %s revision (rule assistants 15)',
  (revision) => {
    const connect = (key: string, path?: string) =>
      connectAssistant(dealkeep.baseUrl, key, { revision, ...(path ? { path } : {}) });

    test('are records, as their GET answers them', async () => {
      const { key } = await dealkeep.createOrganization();
      const api = dealkeep.as(key);
      const { data: lead } = await api.post('/leads', { name: 'Ten bikes' });
      const assistant = await connect(key);
      const { resourceTemplates } = await assistant.listResourceTemplates();
      expect(resourceTemplates).toContainEqual({
        uriTemplate: 'dealkeep://lead/{id}',
        name: 'lead',
        title: 'Lead',
        description: 'Retrieve a lead.',
        mimeType: 'application/json',
      });
      expect(await read(assistant, `dealkeep://lead/${lead.id}`)).toEqual(
        (await api.get(`/leads/${lead.id}`)).data,
      );
      expect(await read(assistant, 'dealkeep://lead/Ten%20bikes')).toMatchObject({ id: lead.id });
    });

    test('hold no sign that nobody sees', async () => {
      const { key } = await dealkeep.createOrganization();
      const hidden = String.fromCodePoint(0xe0049, 0xe0067, 0x202e);
      const { data: lead } = await dealkeep.as(key).post('/leads', { name: `Ten${hidden} bikes` });
      const assistant = await connect(key);
      expect(await read(assistant, `dealkeep://lead/${lead.id}`)).toMatchObject({ name: 'Ten bikes' });
    });

    test('are the lists to choose from, whole', async () => {
      const { key } = await dealkeep.createOrganization();
      const assistant = await connect(key);
      const { resources } = await assistant.listResources();
      for (const uri of ['dealkeep://pipelines', 'dealkeep://custom-fields', 'dealkeep://users']) {
        expect(resources.map((each) => each.uri)).toContain(uri);
      }
      const pipelines = (await dealkeep.as(key).get('/pipelines')).page.data;
      expect(pipelines.length).toBeGreaterThan(0);
      expect(await read(assistant, 'dealkeep://pipelines')).toEqual({ items: pipelines, complete: true });
      for (const { uri } of resources) expect(await read(assistant, uri)).toBeTypeOf('object');
    });

    test('are the error of the protocol where there is none', async () => {
      const { key } = await dealkeep.createOrganization();
      const assistant = await connect(key);
      for (const uri of [
        'dealkeep://lead/0198c5a0-0000-7000-8000-000000000000',
        'dealkeep://lead',
        'dealkeep://pipelines/one',
        'dealkeep://nothing/1',
        'dealkeep://lead/%E0%A4%A',
        'dealkeep://lead/../company/1',
        'https://example.com/',
      ]) {
        await expect(assistant.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
      }
    });

    test('are of its own organization alone', async () => {
      const [mine, theirs] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
      const { data: lead } = await dealkeep.as(theirs.key).post('/leads', { name: 'Ten bikes' });
      const uri = `dealkeep://lead/${lead.id}`;
      const assistant = await connect(mine.key);
      await expect(assistant.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
    });

    test('are completed by name', async () => {
      const { key } = await dealkeep.createOrganization();
      const { data: lead } = await dealkeep.as(key).post('/leads', { name: 'Desať bicyklov' });
      const assistant = await connect(key);
      const { completion } = await assistant.complete({
        ref: { type: 'ref/resource', uri: 'dealkeep://lead/{id}' },
        argument: { name: 'id', value: 'desat' },
      });
      expect(completion.values).toEqual([`Desať bicyklov (${lead.id})`]);
      const uri = `dealkeep://lead/${encodeURIComponent(completion.values[0] ?? '')}`;
      expect(await read(assistant, uri)).toMatchObject({ id: lead.id });
      const user = await assistant.complete({
        ref: { type: 'ref/resource', uri: 'dealkeep://user/{id}' },
        argument: { name: 'id', value: 'horv' },
      });
      expect(user.completion.values).toEqual([expect.stringMatching(/^Jana Horváthová \(/)]);
      const unknown = assistant.complete({
        ref: { type: 'ref/resource', uri: 'dealkeep://lead/{id}' },
        argument: { name: 'name', value: '' },
      });
      await expect(unknown).rejects.toMatchObject({ code: -32602 });
    });

    test('are bound by the scopes of the key, the set of the address and what the owner allows', async () => {
      const organization = await dealkeep.createOrganization();
      const { token } = await organization.createKey({ scopes: ['activities:read'] });
      const few = await connect(token);
      expect(await urisOf(few)).toEqual(
        expect.arrayContaining(['dealkeep://activity/{id}', 'dealkeep://me']),
      );
      expect(await urisOf(few)).not.toContain('dealkeep://lead/{id}');
      await expect(few.readResource({ uri: 'dealkeep://pipelines' })).rejects.toMatchObject({ code: -32602 });
      const work = await urisOf(await connect(organization.key, '/mcp/work'));
      expect(work).toContain('dealkeep://task/{id}');
      expect(work).not.toContain('dealkeep://lead/{id}');

      const browser = new Browser(dealkeep);
      await browser.signIn(organization);
      const edit = '/settings/organization/edit';
      await browser.fill(edit, edit, { assistant_tool_sets: ['work'], do: 'save' });
      const assistant = await connect(organization.key, '/mcp/all');
      // An event shows any record.
      expect(await urisOf(assistant)).toEqual(work.filter((uri) => uri !== 'dealkeep://event/{id}'));
      const completion = assistant.complete({
        ref: { type: 'ref/resource', uri: 'dealkeep://lead/{id}' },
        argument: { name: 'id', value: 'a' },
      });
      await expect(completion).rejects.toMatchObject({ code: -32602 });
    });
  },
);

test('every record that the API reads by its id is a resource (rule assistants 15)', async () => {
  const { createKey } = await dealkeep.createOrganization();
  const assistant = await connectAssistant(dealkeep.baseUrl, (await createKey({ scopes: allScopes })).token);
  const uris = await urisOf(assistant);
  const read = Object.values<OperationDeclaration>(operations).filter(
    ({ kind, path }) => kind === 'get' && /^[^{]*\{\w+\}$/.test(path),
  );
  expect(read.length).toBeGreaterThan(20);
  for (const { resource } of read) expect(uris).toContain(`dealkeep://${resource}/{id}`);
});
