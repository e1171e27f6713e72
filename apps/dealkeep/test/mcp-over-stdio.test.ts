import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort, sharedDealkeep } from '@dealkeep/testing';
import {
  Client,
  type ElicitResult,
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../src/run-command.ts';
import { OwnSurroundings, dealkeep as run } from './program.ts';

const dealkeep = await sharedDealkeep();

const revisions = ['modern', 'legacy'] as const;

interface Spoken {
  readonly args?: readonly string[];
  readonly revision?: (typeof revisions)[number];
  /** What its user answers; without it, the client cannot ask anybody. */
  onAsked?(message: string): Promise<ElicitResult>;
}

/** The conversation of a client with a command that runs within this process. */
class Conversation implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #command: OwnSurroundings;
  readonly #heard = new ReadBuffer();

  constructor(command: OwnSurroundings) {
    this.#command = command;
  }

  async start(): Promise<void> {
    this.#command.stdout.on('data', (text: string) => {
      this.#heard.append(Buffer.from(text));
      for (let next = this.#heard.readMessage(); next; next = this.#heard.readMessage())
        this.onmessage?.(next);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#command.stdin.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#command.stdin.end();
    this.onclose?.();
  }
}

/** Runs the command of an assistant within this process; answers where it speaks, and its end. */
function relay(args: readonly string[]): { command: OwnSurroundings; ended: Promise<void> } {
  const command = new OwnSurroundings({});
  const ended = runCommand(['mcp', ...args], command);
  onTestFinished(async () => {
    command.stdin.end();
    await ended;
  });
  return { command, ended };
}

/** An assistant that speaks with the command. */
async function startAssistant(
  key: string,
  { args = [], revision = 'modern', onAsked }: Spoken = {},
): Promise<Client> {
  const client = new Client(
    { name: 'assistant', version: '1' },
    {
      capabilities: onAsked ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: revision === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (onAsked) client.setRequestHandler('elicitation/create', ({ params }) => onAsked(params.message));
  onTestFinished(() => client.close());
  const { command } = relay(['--base-url', dealkeep.origin, '--key', key, ...args]);
  await client.connect(new Conversation(command));
  return client;
}

const openings = {
  modern: {
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  legacy: {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'assistant', version: '1' },
    },
  },
} as const;

/** Says the first word to the command, waits for the answer, ends it, and gives all that it said. */
async function open(revision: (typeof revisions)[number], server: string, key: string) {
  const { command, ended } = relay(['--base-url', server, '--key', key]);
  const answered = once(createInterface({ input: command.stdout }), 'line');
  command.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, ...openings[revision] })}\n`);
  const [line] = await answered;
  command.stdin.end();
  await ended;
  return { answer: JSON.parse(line), stderr: command.stderr.read(), code: command.exitCode ?? 0 };
}

describe.each(revisions)('an assistant of the %s revision over stdio (rule assistants 8)', (revision) => {
  test('is offered the tools of its address, and calls them', async () => {
    const { key } = await dealkeep.createOrganization();
    const client = await startAssistant(key, { revision });
    expect(client.getServerVersion()).toMatchObject({ name: 'dealkeep' });
    expect(client.getInstructions()).toMatch(/Dealkeep/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_leads', 'create_lead']));
    const made = await client.callTool({ name: 'create_lead', arguments: { name: 'Päť bicyklov' } });
    expect(made.structuredContent).toMatchObject({ name: 'Päť bicyklov' });
    const { data } = await dealkeep.as(key).get('/leads');
    expect(data).toEqual([expect.objectContaining({ name: 'Päť bicyklov' })]);
  });

  test('is told what the server refuses as the server says it', async () => {
    const { key } = await dealkeep.createOrganization();
    const client = await startAssistant(key, { revision });
    const refused = await client.callTool({ name: 'create_lead', arguments: { value: -1 } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/value/) }] });
    await expect(client.callTool({ name: 'žiadny nástroj', arguments: {} })).rejects.toThrow(
      /There is no tool žiadny nástroj here/,
    );
  });

  test.each(['accept', 'decline'] as const)(
    'asks its user before something is archived: they %s',
    async (action) => {
      const { key } = await dealkeep.createOrganization();
      const api = dealkeep.as(key);
      const { data: lead } = await api.post('/leads', { name: 'Ten bikes' });
      const asked: string[] = [];
      const onAsked = async (message: string): Promise<ElicitResult> => {
        asked.push(message);
        return action === 'accept' ? { action, content: {} } : { action };
      };
      const client = await startAssistant(key, { revision, onAsked });
      const { structuredContent } = await client.callTool({
        name: 'archive_lead',
        arguments: { id: lead.id },
      });
      expect(asked).toEqual([expect.stringContaining('Ten bikes')]);
      expect(structuredContent).toMatchObject({ done: action === 'accept' });
      const { archived_at } = (await api.get(`/leads/${lead.id}`)).data;
      expect(archived_at === null).toBe(action === 'decline');
    },
  );

  test('is answered a sentence, which stands on stderr in one line, where its key is wrong', async () => {
    const key = 'dk_live_not-a-key';
    const { answer, stderr, code } = await open(revision, dealkeep.origin, key);
    expect(stderr).toMatch(/^The server at \S+ refused: UNAUTHORIZED: [^\n]+\n$/);
    expect(stderr).not.toContain(key);
    expect(answer).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_000, message: stderr.trimEnd() } });
    expect(code).toBe(1);
  });

  test('is answered a sentence where the server cannot be reached', async () => {
    const server = `http://127.0.0.1:${await freePort()}`;
    const { answer, stderr } = await open(revision, server, 'dk_live_any');
    expect(stderr).toBe(`The server at ${server} cannot be reached: connection refused\n`);
    expect(answer.error.message).toBe(stderr.trimEnd());
  });
});

describe('a client that closes stdin at once, as `echo … | dealkeep mcp` does (rule assistants 8)', () => {
  const say = async (key: string, ...messages: readonly object[]) => {
    const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    const { stdout, stderr, code } = await run(
      ['mcp', '--base-url', dealkeep.origin, '--key', key],
      {},
      lines,
    );
    const answers = stdout.split('\n').filter((line) => line !== '');
    return { answers: answers.map((line) => JSON.parse(line)), stderr, code };
  };
  const created = (name: string) => ({
    method: 'tools/call',
    params: { name: 'create_lead', arguments: { name } },
  });

  test('is answered everything that it asked', async () => {
    const { key } = await dealkeep.createOrganization();
    const { answers, stderr, code } = await say(
      key,
      { id: 1, ...openings.legacy },
      { method: 'notifications/initialized' },
      { id: 2, ...created('One') },
      { id: 3, ...created('Two') },
    );
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    const told = answers.filter(({ id }) => id > 1);
    expect(told.map(({ result }) => result.structuredContent.name).toSorted()).toEqual(['One', 'Two']);
  });

  test('is answered a single request without a handshake', async () => {
    const { key } = await dealkeep.createOrganization();
    const { answers } = await say(key, { id: 1, method: 'tools/list', params: {} });
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 1, result: expect.objectContaining({ tools: expect.any(Array) }) },
    ]);
  });

  test('is not waited for where it can no longer answer a question', async () => {
    const { key } = await dealkeep.createOrganization();
    const api = dealkeep.as(key);
    const { data: lead } = await api.post('/leads', { name: 'Ten bikes' });
    const { params, ...opening } = openings.legacy;
    const { code } = await say(
      key,
      { id: 1, ...opening, params: { ...params, capabilities: { elicitation: { form: {} } } } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'archive_lead', arguments: { id: lead.id } } },
    );
    expect(code).toBe(0);
    expect((await api.get(`/leads/${lead.id}`)).data.archived_at).toBeNull();
  });
});

test('--tools and --readonly choose the address (rule assistants 8)', async () => {
  const { key } = await dealkeep.createOrganization();
  const client = await startAssistant(key, { args: ['--tools', 'billing', '--readonly'] });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_invoices']));
  for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true);
});

test.each([
  [['mcp'], /^error: give an API key in DEALKEEP_API_KEY or by --key/],
  [['mcp', '--key', 'dk', '--base-url', 'crm'], /It takes an address such as https:\/\/crm\.example\.com/],
  [
    ['mcp', '--key', 'dk', '--tools', 'other'],
    /Allowed choices are sales, work, billing, shop, webhooks, all/,
  ],
])('%j is wrong usage', async (args, words) => {
  expect(await run(args, {})).toMatchObject({ code: 64, stderr: expect.stringMatching(words) });
});
