import { sharedDealkeep } from '@dealkeep/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { dealkeepProcess, program } from './program.ts';

const dealkeep = await sharedDealkeep();

test('an assistant starts the command as those on a laptop do, with address and key in its environment', async () => {
  const { key } = await dealkeep.createOrganization();
  const client = new Client(
    { name: 'assistant', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  const env = { DEALKEEP_BASE_URL: dealkeep.baseUrl, DEALKEEP_API_KEY: key };
  const command = { command: process.execPath, args: [program, 'mcp'], env };
  await client.connect(new StdioClientTransport(command));
  expect(client.getServerVersion()).toMatchObject({ name: 'dealkeep' });
  const made = await client.callTool({ name: 'create_lead', arguments: { name: 'Päť bicyklov' } });
  expect(made.structuredContent).toMatchObject({ name: 'Päť bicyklov' });
});

test('it ends with stdin, and says nothing on stdout but the protocol', async () => {
  const variables = { DEALKEEP_API_KEY: 'dk_live_any' };
  expect(await dealkeepProcess(['mcp', '--base-url', dealkeep.origin], variables)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});
