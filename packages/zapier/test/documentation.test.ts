import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messages } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { appHandler } from '../src/app-handler.ts';
import { Definition, visibleOperations } from '../src/checks/definition.ts';
import { apiKey, integration } from '../src/index.ts';
import { documentation } from '../src/links.ts';
import { repository } from './documented/read-recipes.ts';

const { results } = await appHandler(integration(apiKey))({ command: 'definition', calledFromCli: true });
const definition = Definition.parse(results);
const helpTexts = JSON.stringify(definition);
const docs = join(repository, 'docs');
const page = await readFile(join(docs, 'zapier.md'), 'utf8');
const sectionOf = (text: string, title: string): string =>
  text.split('\n## ').find((each) => each.startsWith(title)) ?? '';

/** The first cells of a page's tables, by their words: what differs is an ellipsis, line breaks do not count. */
const firstCells = (text: string): Set<string> =>
  new Set([...text.matchAll(/^\| (.+?) +\|/gm)].map(([, cell = '']) => cell));
const withEllipses = (text: string): string =>
  text.replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\{\w+\}/g, '…');

describe('docs/zapier.md', async () => {
  test.each([
    ...visibleOperations(definition).map(({ operation }) => operation.display.label ?? ''),
    ...Object.values(definition.searchOrCreates).map(({ display }) => display.label ?? ''),
  ])('names %s', (label) => {
    expect(sectionOf(page, 'What there is').replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`\\b${label}\\b`));
  });

  test('has the places that the help texts of the connection lead to', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
    const led = [...JSON.stringify(definition).matchAll(/\]\((https:[^)]+)\)/g)].map(([, link = '']) => link);
    expect(led.length).toBeGreaterThan(1);
    for (const link of led) expect(anchors.map((anchor) => `${documentation}#${anchor}`)).toContain(link);
  });

  test.each(await messagesInSource())('says what to do about: %s', (message) => {
    expect(firstCells(sectionOf(page, 'Troubleshooting by message'))).toContain(message);
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
  ...['field.email_taken', 'field.name_of_owners', 'field.wrong_password', 'field.default_pipeline'],
  ...['field.last_open_stage', 'field.leads_in_stage', 'field.leads_need_stage', 'field.values_of_type'],
  ...['lookup.name_taken', 'pipeline.default', 'stage.last_open', 'stage.too_many_leads', 'role.in_use'],
  ...['project_stage.too_many_tasks', 'invoice.partly_paid', 'person.last_owner', 'delivery.under_way'],
  ...['delivery.webhook_inactive', 'field.name_taken', 'product.sku'],
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
    expect([...cells].filter((cell) => !/^(Message|-+)$/.test(cell) && !said.includes(cell))).toEqual([]);
  });
});

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

/** The sentences of our own source that a user can meet while a Zap is made or runs. */
async function messagesInSource(): Promise<string[]> {
  const found = new Set<string>();
  for await (const path of glob('**/*.ts', { cwd: join(import.meta.dirname, '..', 'src') })) {
    if (/^checks\/|catalog\.ts$/.test(path)) continue;
    const source = await readFile(join(import.meta.dirname, '..', 'src', path), 'utf8');
    const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    for (const [before, , sentence = ''] of code.matchAll(
      /[^\n]*?(['`])((?:\$\{|[A-Z])[^'`\n]* [^'`\n]*\.)\1/g,
    )) {
      if (/(?:helpText|help|description): *['`]/.test(before) || isOfTheBuild(sentence)) continue;
      if (helpTexts.includes(sentence)) continue;
      found.add(withEllipses(sentence));
    }
  }
  return [...found];
}

/** Thrown while the definition is made, so that a wrong one is never uploaded. */
const isOfTheBuild = (sentence: string): boolean =>
  /^(The contract has no |No dropdown lists |The list of |The trigger )|has no filter/.test(sentence);
