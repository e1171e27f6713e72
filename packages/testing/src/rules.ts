import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages of numbered rules. */
export const rulesFolder = join(import.meta.dirname, '..', '..', '..', 'docs', 'rules');

/**
 * The rules that a text names: `rule leads 4`, `rules leads 4 and 5`, `rules leads 4, 5 and orders 2`; also where a
 * comment wraps.
 */
export function rulesNamedIn(text: string): string[] {
  const flat = text.replaceAll(/\n\s*(\*|\/\/|--)? ?/g, ' ');
  return [
    ...flat.matchAll(/\b[Rr]ules? ([a-z][a-z0-9-]* \d+(?:(?:,? and |, )(?:[a-z][a-z0-9-]* )?\d+)*)\b/g),
  ].flatMap(([, list = '']) => {
    let page = '';
    return [...list.matchAll(/(?:\b(?!and )([a-z][a-z0-9-]*) )?(\d+)/g)].map(([, named, number]) => {
      page = named ?? page;
      return `${page} ${number}`;
    });
  });
}

/**
 * The rules that the titles of a test file name at their ends, as `(rule leads 4)`; what its comments name does not
 * count.
 */
export const rulesInTitles = (source: string): string[] =>
  [...source.matchAll(/ (\(rules? [^()]*\))['"`],/g)].flatMap(([, end = '']) => rulesNamedIn(end));

/** The first sentence of a rule; undefined where there is no such rule. */
export function sentenceOf(rule: string): string | undefined {
  const [page = ''] = rule.split(' ');
  let text: string;
  try {
    text = readFileSync(join(rulesFolder, `${page}.md`), 'utf8');
  } catch {
    return undefined;
  }
  const [, after] = text.split(`### ${rule}\n`);
  return after
    ?.trim()
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.:]) /)[0];
}

/** Where a rule stands, for a reader of the repository. */
export const addressOf = (rule: string): string =>
  `docs/rules/${rule.split(' ')[0]}.md#${rule.replace(' ', '-')}`;
