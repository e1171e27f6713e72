import { eventTypes, type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const response = await fetch(`${dealkeep.origin}/llms.txt`);
const text = await response.text();
const names = [...text.matchAll(/^- \[([^\]]+)\]\([^)\s]+\)(: .+)?$/gm)].map(([, name]) => name);

test('llms.txt is plain text that anybody may read', () => {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test('it has the form of llmstxt.org: a title, a summary, prose, then sections of links only', () => {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines[0]).toMatch(/^# \S/);
  expect(lines[1]).toMatch(/^> \S/);
  expect(lines.filter((line) => /^# /.test(line))).toHaveLength(1);
  expect(text).not.toMatch(/^###/m);
  const fromFirstSection = lines.slice(lines.findIndex((line) => line.startsWith('## ')));
  expect(fromFirstSection.filter((line) => !/^## \S|^- \[[^\]]+\]\(\S+\)(: .+)?$/.test(line))).toEqual([]);
  expect(text.match(/^## .*$/gm)?.at(-1)).toBe('## Optional');
});

test('it says how to authenticate and names every operation and event (rule versioning 10)', () => {
  expect(text).toContain('`Authorization: Bearer <API key>`');
  expect(text).toContain(`\`${dealkeep.core.origin}/.well-known/oauth-authorization-server\``);
  for (const { method, path } of Object.values<OperationDeclaration>(operations)) {
    expect(text).toContain(`\`${method} ${path}\``);
  }
  expect(eventTypes.filter((type) => !names.includes(type))).toEqual([]);
});
