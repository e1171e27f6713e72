import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedDealkeep } from '@dealkeep/testing';
import { cachedInstall } from '@dealkeep/tooling';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const installation = await cachedInstall('mcp-remote-0.15.1');
const program = join(installation, 'node_modules', 'mcp-remote', 'dist', 'proxy.js');

test('an assistant that knows stdin and stdout alone works through mcp-remote with a key', async () => {
  const { key } = await dealkeep.createOrganization();
  const client = new Client({ name: 'assistant', version: '1' }, { capabilities: {} });
  onTestFinished(() => client.close());
  const remembered = await mkdtemp(join(tmpdir(), 'dealkeep-mcp-remote-'));
  onTestFinished(() => rm(remembered, { recursive: true, force: true }));
  const address = `${dealkeep.origin}/mcp/sales`;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, address, '--allow-http', '--header', `Authorization:Bearer ${key}`],
      env: { MCP_REMOTE_CONFIG_DIR: remembered },
      stderr: 'pipe',
    }),
  );
  expect(client.getServerVersion()).toMatchObject({ name: 'dealkeep' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('create_lead');
  const made = await client.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
  expect(made.structuredContent).toMatchObject({ name: 'Ten bikes' });
  const { data } = await dealkeep.as(key).get('/leads');
  expect(data).toEqual([expect.objectContaining({ name: 'Ten bikes' })]);
});
