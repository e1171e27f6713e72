import { readFile } from 'node:fs/promises';
import { scopePermissions } from '@dealkeep/contract';
import { expect, test } from 'vitest';

test('the table of the rules names every permission that a scope needs (rule scopes 5)', async () => {
  const rules = await readFile(new URL('../../../../docs/rules/scopes.md', import.meta.url), 'utf8');
  const table = rules.slice(rules.indexOf('### scopes 5'), rules.indexOf('### scopes 6'));
  const rows = [...table.matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm)];
  for (const [scope, permissions] of Object.entries(scopePermissions)) {
    const [entity = ''] = scope.split(':');
    // `GET /projects` has a row of its own.
    const [, , named = ''] =
      rows.find(([, scopes = '']) => scopes.split(', ').includes(`\`${scope}\``)) ?? [];
    const expected =
      named === 'none' ? [] : named.replaceAll('`', '').replaceAll('ENTITY', entity).split(', ');
    expect(expected, scope).toEqual(permissions);
  }
});
