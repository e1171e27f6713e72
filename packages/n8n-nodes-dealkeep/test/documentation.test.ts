import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  events,
  operationIds,
  operations,
  type ResourceName,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import action from '../nodes/Dealkeep/Dealkeep.node.json' with { type: 'json' };
import trigger from '../nodes/DealkeepTrigger/DealkeepTrigger.node.json' with { type: 'json' };
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { oauthScopes } from '../nodes/shared/generated/oauth.ts';
import manifest from '../package.json' with { type: 'json' };
import { messagesInSource } from './messages-in-source.ts';

const packageFolder = join(import.meta.dirname, '..');
const docs = join(packageFolder, '..', '..', 'docs');
const guide = await readFile(join(docs, 'n8n.md'), 'utf8');
const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
const sectionOf = (text: string, title: string): string =>
  text.split('\n## ').find((each) => each.startsWith(title)) ?? '';

describe('docs/n8n.md', async () => {
  const said = await messagesInSource();
  const table = sectionOf(guide, 'Troubleshooting by message');
  const told = [...table.matchAll(/^\| (.+?) +\|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^(Message|-+)$/.test(cell));

  test.each(said)('says what to do about: %s', (message) => expect(told).toContain(message));

  test('says it of nothing that is not said', () => {
    expect(told.filter((message) => !said.includes(message))).toEqual([]);
  });

  test('links every example', async () => {
    const linked = [...guide.matchAll(/examples\/([\w-]+\.json)/g)].map(([, name]) => name);
    expect(linked.toSorted()).toEqual((await readdir(join(packageFolder, 'examples'))).toSorted());
  });

  test('registers n8n with the scopes that an application can have', () => {
    expect(/--scopes (\S+)/.exec(guide)?.[1]?.split(',')).toEqual(oauthScopes);
  });
});

test('the README has the sections that n8n asks for', () => {
  const sections = [...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(sections).toEqual(
    expect.arrayContaining([
      ...[
        'Installation',
        'Operations',
        'Credentials',
        'Compatibility',
        'Usage',
        'Resources',
        'Version history',
      ],
    ]),
  );
});

test('the README names every event', () => {
  const list = sectionOf(readme, 'Operations').toLowerCase();
  for (const { label } of Object.values(events)) expect(list).toContain(label.en.toLowerCase());
});

test('the README names every operation of every resource', () => {
  const told = sectionOf(readme, 'Operations')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (Resource|-)/.test(line))
    .flatMap((line) => {
      const [names = '', done = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return names.split(', ').map((resource) => [resource, done.split(', ')] as const);
    });
  const resource = actionDescription.find(({ name }) => name === 'resource')?.options ?? [];
  const offered = resource.map((option) => {
    const choice = actionDescription.find(
      ({ name, displayOptions }) =>
        name === 'operation' && displayOptions?.show?.['resource']?.includes(Object(option).value),
    );
    return [option.name, choice?.options?.map((each) => each.name)] as const;
  });
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(offered));
});

test('the changelog tells of the version of the package', async () => {
  const changelog = await readFile(join(packageFolder, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`\n## ${manifest.version}\n`);
});

test('the nodes are found by the name of every kind of record that they have to do with', () => {
  const labels = (names: readonly ResourceName[]) =>
    names.filter((name) => resources[name].kind === 'record').map((name) => resources[name].label.en);
  const read = resourceNames.filter((name) => operationIds.some((id) => operations[id].resource === name));
  expect(action.alias).toEqual(expect.arrayContaining(labels(read)));
  expect(trigger.alias).toEqual(
    expect.arrayContaining(labels(Object.values(events).map(({ entity }) => entity))),
  );
});

const examples = await Promise.all(
  (await readdir(join(packageFolder, 'examples'))).map(async (file) => ({
    file,
    ...JSON.parse(await readFile(join(packageFolder, 'examples', file), 'utf8')),
  })),
);

describe.each(examples)('the example $file', ({ name, nodes, connections }) => {
  const isNote = ({ type }: { type: string }) => type === 'n8n-nodes-base.stickyNote';

  test('says on the canvas what it does, and what is to be filled in before it is published', () => {
    const [note, ...others] = nodes.filter(isNote);
    expect(others).toEqual([]);
    const { content } = note.parameters;
    expect(content).toContain(`## ${name}`);
    expect(content).toMatch(/1\. Choose your Dealkeep credential/);
    for (const node of nodes) {
      const mustBeChanged =
        String(node.parameters.url).includes('example.com') || 'authentication' in node.parameters;
      if (mustBeChanged) expect(content).toContain(`**${node.name}**`);
    }
    const names = [...content.matchAll(/\*\*(.+?)\*\*/g)].map(([, bold]) => bold);
    const labels = ['Authentication', 'Catch Up', 'Description', 'Simplify'];
    expect([...nodes.map((node: { name: string }) => node.name), ...labels]).toEqual(
      expect.arrayContaining(names),
    );
  });

  // n8n would run another version, but its editor would say that the node is not installed.
  test('names the versions that the nodes have', async () => {
    for (const { type, typeVersion } of nodes) {
      const [, name = ''] = /^n8n-nodes-dealkeep\.(\w+?)(?:Tool)?$/.exec(type) ?? [];
      if (name === '') continue;
      const node = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const source = await readFile(join(packageFolder, 'nodes', node, `${node}.node.ts`), 'utf8');
      expect(/^ {4}version: (\d+),$/m.exec(source)?.[1], type).toBe(String(typeVersion));
    }
  });

  test('lays tools below the node that uses them', () => {
    const placeOf = (node: string) => nodes.find((each: { name: string }) => each.name === node).position;
    for (const [from, outputs] of Object.entries<Record<string, { node: string }[][]>>(connections)) {
      for (const { node: to } of (outputs['ai_tool'] ?? []).flat()) {
        expect(placeOf(from)[1]).toBeGreaterThan(placeOf(to)[1] + 200);
      }
    }
  });
});
