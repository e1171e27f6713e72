import { resources } from '@dealkeep/contract';
import type { Import } from '@dealkeep/core/operations';
import type { ConsoleContext } from '../context.ts';
import { type Markup, trail } from '../markup.ts';
import { importPath } from '../records/import-path.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { kindOf } from '../records/record-kinds.ts';
import { importSay } from './texts.ts';

/** The pages of the records of an import. */
export function recordKindOf({ kind }: Pick<Import, 'kind'>): RecordKind {
  const found = kindOf(kind);
  if (!found) throw new Error(`There are no pages of ${kind}`);
  return found;
}

export const titleOf = ({ file_name }: Import): string => file_name;

/** The way up: where files of the kind are chosen. */
export const importTrail = (c: ConsoleContext, found: Import): Markup =>
  trail(
    importPath(recordKindOf(found)),
    importSay(c.get('language'))('title', { what: resources[found.kind].plural[c.get('language')] }),
  );

/** A column as its file calls it, or by its number. */
export const headingOf = (c: ConsoleContext, { headings }: Import, index: number): string =>
  headings[index] || importSay(c.get('language'))('column', { number: index + 1 });
