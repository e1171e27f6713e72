import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oauthScopes } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { Definition, visibleOperations } from '../bin/checks/definition.ts';
import manifest from '../package.json' with { type: 'json' };
import { appHandler } from '../src/app-handler.ts';
import { integration, oauth2 } from '../src/index.ts';
import { repository } from './documented/read-recipes.ts';

const built = await appHandler(integration(oauth2))({ command: 'definition', calledFromCli: true });
const definition = Definition.parse(built.results);
const page = await readFile(join(repository, 'docs', 'publishing-zapier.md'), 'utf8');

test('the list of live Zaps holds every operation that is seen, and no other', () => {
  const [, list = ''] = page.split('\n## Live Zaps');
  const [section = ''] = list.split('\n## ');
  const listed = [...section.matchAll(/^- \[ \] (.+?)(?::.*)?$/gm)].map(([, label]) => label);
  const seen = [
    ...visibleOperations(definition).map(({ operation }) => operation.display.label),
    ...Object.values(definition.searchOrCreates).map(({ display }) => display.label),
  ];
  expect(listed.toSorted()).toEqual(seen.toSorted());
});

test('Zapier is registered with the scopes that the integration asks for', () => {
  const [, listed = ''] = /--scopes (\S+)/.exec(page) ?? [];
  expect(listed.split(',')).toEqual(oauthScopes);
});

test('the first version that is published is the one of the package', () => {
  expect(page).toContain(`zapier-platform promote ${manifest.version}\n`);
});
