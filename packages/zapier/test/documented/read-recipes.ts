import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '..', '..', '..', '..');

export type StepKind = 'Trigger' | 'Search' | 'Action';

export type Filled = readonly [label: string, value: string];

/** One step of a Zap as docs/zapier.md tells it. */
export interface Step {
  readonly kind: StepKind;
  /** Our operation by the name that the editor shows; undefined for a step of another app. */
  readonly operation: string | undefined;
  /** What is filled in, by the label of its field. */
  readonly fields: readonly Filled[];
  /** The same of the record that a search creates when it finds none. */
  readonly toCreate: readonly Filled[];
  /** Everything that the step says: what another app is given stands in there. */
  readonly text: string;
}

export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** The Zaps of the page, so that the tests run what the reader reads. */
export async function readRecipes(): Promise<Recipe[]> {
  const page = await readFile(join(repository, 'docs', 'zapier.md'), 'utf8');
  const section = page.split('\n## ').find((each) => each.startsWith('Ten useful Zaps')) ?? '';
  return section
    .split('\n### ')
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf('\n')).replace(/^\d+\. /, ''),
      steps: stepsOf(text),
    }));
}

/** A step begins with its number; lines below it that are indented belong to it. */
const stepsOf = (text: string): Step[] =>
  [...text.matchAll(/^\d+\. (Trigger|Search|Action) (.+(?:\n {3}.+)*)/gm)].map(
    ([, kind = '', rest = '']) => ({
      kind: kindOf(kind),
      operation: rest.match(/^\*\*(.+?)\*\*/)?.[1],
      fields: filledIn(rest, ''),
      toCreate: filledIn(rest, 'to create it, '),
      text: rest.replaceAll('`', ''),
    }),
  );

const filledIn = (text: string, prefix: string): Filled[] =>
  [...text.matchAll(new RegExp(`^ {3}- ${prefix}\\*\\*(.+?)\\*\\*: (.+)$`, 'gm'))].map(
    ([, label = '', value = '']) => [label, value.replaceAll('`', '')],
  );

function kindOf(word: string): StepKind {
  if (word === 'Trigger' || word === 'Search' || word === 'Action') return word;
  throw new Error(`A step is no "${word}".`);
}
