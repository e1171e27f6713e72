import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filtersOfEvents, labelOfResource } from '@dealkeep/connectors';
import { events, eventTypes, messages } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { Definition, inputFieldsOf, outputFieldsOf, visibleOperations } from '../bin/checks/definition.ts';
import { apiKey, oauth2 } from '../src/index.ts';
import { documentation } from '../src/links.ts';
import { messagesInSource, withEllipses } from './documented/messages-in-source.ts';
import { readRecipes, repository } from './documented/read-recipes.ts';
import { definitionOf } from './platform/definition-of.ts';

const [definition, published] = await Promise.all(
  [apiKey, oauth2].map(async (variant) => Definition.parse(await definitionOf(variant))),
);
if (!definition || !published) throw new Error('There are two variants.');
const docs = join(repository, 'docs');
const page = await readFile(join(docs, 'zapier.md'), 'utf8');
const sectionOf = (text: string, title: string): string =>
  text.split('\n## ').find((each) => each.startsWith(title)) ?? '';

const places = visibleOperations(definition);
const pairs = Object.values(definition.searchOrCreates);
const steps = new Set([
  ...places.map(({ operation }) => operation.display.label ?? ''),
  ...pairs.map(({ display }) => display.label ?? ''),
]);
const fields = new Set([
  ...places.flatMap((place) => inputFieldsOf(place).map(({ field }) => field.label ?? '')),
  ...definition.authentication.fields.map(({ label }) => label ?? ''),
]);

/** The places of a step: a Find or Create has the form of its search, and that of its action below. */
function placesOf(label: string) {
  const pair = pairs.find(({ display }) => display.label === label);
  const keys = pair && [`searches.${pair.search}`, `creates.${pair.create}`];
  return places.filter(({ where, operation }) => keys?.includes(where) ?? operation.display.label === label);
}
const labelsOf = (step: string): string[] =>
  placesOf(step).flatMap((place) => inputFieldsOf(place).map(({ field }) => field.label ?? ''));
const outputsOf = (step: string): string[] =>
  placesOf(step).flatMap(({ operation }) => outputFieldsOf(operation).map(({ label }) => label ?? ''));

const isPair = (step: string | undefined): boolean => pairs.some(({ display }) => display.label === step);
const labelled = (own: readonly { label?: string | undefined }[] = []): string[] =>
  own.map(({ label }) => label ?? '');

/** What Zapier calls things in its own pages. */
const ofZapier = new Set([
  ...['Dealkeep', 'Sign in', 'Insert data', 'Refresh fields', 'Apps', 'Triggers', 'Actions', 'Searches'],
  // Its own app, which needs no integration.
  ...['Webhooks by Zapier', 'Catch Hook', 'POST', 'Test trigger'],
]);
/** Words that begin a line of the page in bold type and name nothing. */
const lines = [
  'Dropdowns',
  'Testing a trigger',
  'Archived',
  'Find or Create',
  'Create or Update',
  'Orders',
  'Updating',
  'Line items',
];
const begins = (name: string): boolean =>
  name.endsWith('.') || [...lines, 'Many runs at once'].includes(name);

/** Every English text of the console, and of the contract that it shows. */
async function wordsOfTheConsole(): Promise<Set<string>> {
  const words = new Set<string>();
  for (const folder of ['apps/console/src', 'packages/contract/src']) {
    for await (const path of glob('**/*.ts', { cwd: join(repository, folder) })) {
      const source = await readFile(join(repository, folder, path), 'utf8');
      for (const [, word = ''] of source.matchAll(/\btext\(\s*'([^']+)'/g)) words.add(word);
    }
  }
  return words;
}

/** The first cells of a page's tables, by their words: what differs is an ellipsis, line breaks do not count. */
const firstCells = (text: string): Set<string> =>
  new Set([...text.matchAll(/^\| (.+?) +\|/gm)].map(([, cell = '']) => cell.replaceAll('\\<', '<')));

describe('docs/zapier.md', async () => {
  test.each([
    ...visibleOperations(definition).map(({ operation }) => operation.display.label ?? ''),
    ...Object.values(definition.searchOrCreates).map(({ display }) => display.label ?? ''),
  ])('names %s', (label) => {
    expect(sectionOf(page, 'What there is').replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`\\b${label}\\b`));
  });

  test('names no trigger, action or search that there is not', () => {
    const section = sectionOf(page, 'What there is').replaceAll(/\s*\([^)]*\)/g, '');
    const cells = [...section.matchAll(/^\| (?!Record |Finds |-)[^|]+ \| (.+?) +\|$/gm)].map(
      ([, cell = '']) => cell,
    );
    const named = cells.flatMap((cell) => cell.split(/, /));
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((label) => !steps.has(label))).toEqual([]);
  });

  test('says what the triggers of each record can be narrowed by', () => {
    const rows = [...sectionOf(page, 'Narrow a trigger').matchAll(/^\| (\w+) +\| (.+?) +\|$/gm)];
    const told = rows.slice(1).map(([, record, names]) => `${record}: ${names}`);
    const entities = [...new Set(eventTypes.map((type) => events[type].entity))];
    const offered = entities.map((entity) => {
      const types = eventTypes.filter((type) => events[type].entity === entity);
      const names = types.flatMap((type) => filtersOfEvents([type]).map(({ label }) => label));
      return { record: labelOfResource(entity), names: [...new Set(names)] };
    });
    const narrowed = offered.filter(({ names }) => names.length > 0);
    expect(told).toEqual(narrowed.map(({ record, names }) => `${record}: ${names.join(', ')}`));
  });

  test('names no field that there is not, and no words of the console that it does not have', async () => {
    const words = await wordsOfTheConsole();
    const bold = [...page.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, text = '']) => text.split(/, | → /));
    expect(bold.length).toBeGreaterThan(50);
    const isKnown = (name: string) =>
      steps.has(name) || fields.has(name) || ofZapier.has(name) || words.has(name);
    expect(bold.filter((name) => !isKnown(name) && !begins(name))).toEqual([]);
  });

  test('inserts no data that the step before does not give', async () => {
    for (const { title, steps: told } of await readRecipes()) {
      const outputs = told.map(({ operation }) =>
        operation === undefined ? undefined : outputsOf(operation),
      );
      for (const [, step = '', label = ''] of JSON.stringify(told).matchAll(/\{\{(\d+)\. (.+?)\}\}/g)) {
        const given = outputs[Number(step) - 1];
        if (given) expect(given, `${title}, step ${step}`).toContain(label);
      }
      for (const { operation, fields: own, toCreate } of told.filter((each) => each.operation)) {
        const asked = [...own, ...toCreate].flatMap(([label]) => label.split(', '));
        expect(labelsOf(operation ?? ''), `${title}: ${operation}`).toEqual(expect.arrayContaining(asked));
      }
    }
  });

  test('tells of a search that can create what is meant for the search and what for the new record', async () => {
    const recipes = await readRecipes();
    const told = recipes.flatMap(({ steps: each }) => each.filter(({ operation }) => isPair(operation)));
    expect(told.length).toBeGreaterThan(0);
    for (const { operation = '', fields: searched, toCreate } of told) {
      const [search, create] = ['searches.', 'creates.'].map((kind) =>
        placesOf(operation)
          .filter(({ where }) => where.startsWith(kind))
          .flatMap((place) => inputFieldsOf(place).map(({ field }) => field)),
      );
      const [above, below] = [searched, toCreate].map((lines) => lines.map(([label]) => label));
      expect(labelled(search)).toEqual(expect.arrayContaining(above ?? []));
      expect(labelled(create)).toEqual(expect.arrayContaining(below ?? []));
      const needed = labelled(create?.filter(({ required }) => required));
      expect(below, `${operation} creates nothing without ${needed}`).toEqual(expect.arrayContaining(needed));
    }
  });

  test('has the places that the help texts of the connection lead to', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
    const led = [...JSON.stringify(definition).matchAll(/\]\((https:[^)]+)\)/g)].map(([, link = '']) => link);
    expect(led.length).toBeGreaterThan(1);
    for (const link of led) expect(anchors.map((anchor) => `${documentation}#${anchor}`)).toContain(link);
  });

  const said = await messagesInSource(JSON.stringify([definition, published]));
  const told = firstCells(sectionOf(page, 'Troubleshooting by message'));

  test.each(said)('says what to do about: %s', (message) => expect(told).toContain(message));

  test('says it of nothing that is not said', () => {
    expect([...told].filter((cell) => !isOfTheTable(cell) && !said.includes(cell))).toEqual([]);
  });

  test('names what is reached with a key only', () => {
    const keyed = visibleOperations(definition).filter(
      ({ where }) => !visibleOperations(published).some((place) => place.where === where),
    );
    expect(keyed.map(({ operation }) => operation.display.label)).toEqual([
      ...['New Product', 'Updated Product', 'New or Updated Product'],
      ...['Find Product', 'Find Product Category'],
    ]);
    expect(page.match(/\(with an API key only\)/g)).toHaveLength(2);
  });
});

/** What only the console and the operator can be told. */
const ofTheConsole = new Set([
  ...[
    'metrics.token',
    'role.owners_only',
    'sign_in.wrong',
    'sign_in.slow',
    'record.changed',
    'api_key.limit',
  ],
  ...['field.not_in_the_future', 'field.invalid_time_zone', 'field.invalid_color', 'field.one_primary'],
  ...[
    'field.email_verified',
    'field.email_invited',
    'invitation.ended',
    'invitation.known',
    'invitation.member',
  ],
  ...['field.email_taken', 'field.name_of_owners', 'field.wrong_password', 'field.default_pipeline'],
  ...['field.last_open_stage', 'field.leads_in_stage', 'field.leads_need_stage', 'field.values_of_type'],
  ...['lookup.name_taken', 'pipeline.default', 'stage.last_open', 'stage.too_many_leads', 'role.in_use'],
  ...['project_stage.too_many_tasks', 'invoice.partly_paid', 'member.last_owner', 'delivery.under_way'],
  ...[
    'delivery.all_held',
    'delivery.webhook_held',
    'delivery.webhook_inactive',
    'field.name_taken',
    'product.sku',
    'field.scopes_beside_purpose',
  ],
  ...Object.keys(messages).filter((key) => key.startsWith('import.')),
  ...['form.content_type', 'form.too_large', 'form.too_many_fields', 'form.too_many_rows'],
]);

describe('docs/messages.md says what to do about', async () => {
  const cells = firstCells(await readFile(join(docs, 'messages.md'), 'utf8'));
  test.each(Object.entries(messages).filter(([key]) => !ofTheConsole.has(key)))('%s', (_, { en }) => {
    expect(cells).toContain(withEllipses(en));
  });

  test('and about nothing that is not said', () => {
    const said = Object.entries(messages)
      .filter(([key]) => !ofTheConsole.has(key))
      .map(([, { en }]) => withEllipses(en));
    expect([...cells].filter((cell) => !isOfTheTable(cell) && !said.includes(cell))).toEqual([]);
  });
});

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

const isOfTheTable = (cell: string): boolean => /^(Message|-+)$/.test(cell);
