import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { operations } from '../../nodes/shared/generated/operations.ts';
import { tarballPath } from '../../scripts/tarball-path.ts';
import { at } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { actionType, pollTriggerType, triggerType } from './workflow-node.ts';

describe('the packed package in n8n', () => {
  const n8n = new N8nDriver();
  const { session } = n8n;

  /** The node types that the editor offers. */
  const nodeTypes = async (): Promise<unknown[]> => {
    const response = await fetch(`${session.origin}/types/nodes.json`, {
      headers: { cookie: session.cookie, 'browser-id': session.browserId },
    });
    const types: unknown = await response.json();
    return Array.isArray(types)
      ? types.filter((type) => String(at(type, 'name')).startsWith('n8n-nodes-dealkeep.'))
      : [];
  };

  test('brings the action, both triggers, and the action as a tool for AI agents (rules n8n 1 and 12)', async () => {
    const names = (await nodeTypes()).map((type) => at(type, 'name'));
    expect(names.sort()).toEqual([actionType, `${actionType}Tool`, pollTriggerType, triggerType].sort());
  });

  test('shows an icon of its own on light and on dark ground', async () => {
    for (const type of await nodeTypes()) {
      for (const ground of ['light', 'dark']) {
        const icon = await fetch(`${session.origin}/${String(at(type, 'iconUrl', ground))}`);
        expect(icon.headers.get('content-type')).toMatch(/svg/);
      }
    }
  });

  test('tells the shape of the output of every operation', async () => {
    for (const [resource, of] of Object.entries(operations)) {
      for (const operation of Object.keys(of)) {
        expect(await n8n.outputFields(resource, operation), `${resource} ${operation}`).not.toEqual([]);
      }
    }
  });

  test('stands in the categories and answers to the words that its codex names', async () => {
    for (const type of await nodeTypes()) {
      if (String(at(type, 'name')).endsWith('Tool')) continue;
      expect(at(type, 'codex', 'categories')).toContain('Sales');
      expect(at(type, 'codex', 'alias')).toContain('CRM');
    }
  });

  test('is at most 64 KiB to download (rule n8n 2)', async () => {
    expect((await stat(await tarballPath())).size).toBeLessThanOrEqual(65_536);
  });
});
