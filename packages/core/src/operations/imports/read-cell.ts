import {
  checkValue,
  comparisonForm,
  type FieldProblem,
  type Language,
  type MessageKey,
  text,
} from '@dealkeep/contract';
import * as z from 'zod';
import { readNumber } from '../../foundations/numbers/read-number.ts';
import type { ImportTarget } from './targets.ts';

/** How the values of a file are written. */
export interface FileStyle {
  readonly decimalMark: ',' | '.';
  /** Of the organization, which amounts may be followed by. */
  readonly currency: string;
}

/** What a cell holds for a body, or why it cannot be read. */
export type ReadCell = { readonly value: unknown } | { readonly problem: Omit<FieldProblem, 'path'> };

const longestQuote = 60;

/** A cell as a message quotes it. */
export const quoted = (cell: string): string =>
  cell.length > longestQuote ? `${cell.slice(0, longestQuote)}…` : cell;

/** What is wrong with a cell, which the message quotes. */
export const cellProblem = (
  key: MessageKey,
  cell: string,
  values: Readonly<Record<string, string | number>> = {},
): { readonly problem: Omit<FieldProblem, 'path'> } => ({
  problem: { key, values: { value: quoted(cell), ...values } },
});

/** Reads a cell that names no record and is not empty. What nothing is known of is left to the contract. */
export function readCell({ field, customField }: ImportTarget, cell: string, style: FileStyle): ReadCell {
  if (customField) {
    if (customField.kind === 'number') return readNumberCell(cell, style, {});
    if (customField.kind === 'date') return readDateCell(cell);
    if (customField.kind === 'checkbox') return asText(readYesOrNo(cell));
    return { value: cell };
  }
  if (field.type === 'number' || field.type === 'integer') {
    const { unit } = field.description ?? {};
    return asNumber(readNumberCell(cell, style, { money: unit === 'money', percent: unit === 'percent' }));
  }
  if (field.type === 'boolean') return readYesOrNo(cell);
  if (field.format === 'date') return readDateCell(cell);
  if (field.description?.codesOf || field.values.length > 0) return readChoice(field, cell);
  return { value: cell };
}

const asText = (read: ReadCell): ReadCell => ('value' in read ? { value: String(read.value) } : read);
const asNumber = (read: ReadCell): ReadCell => ('value' in read ? { value: Number(read.value) } : read);

const languageOf: Readonly<Record<FileStyle['decimalMark'], Language>> = { ',': 'sk', '.': 'en' };

/** As the text of a decimal. */
function readNumberCell(
  cell: string,
  { decimalMark, currency }: FileStyle,
  { money = false, percent = false }: { money?: boolean; percent?: boolean },
): ReadCell {
  const language = languageOf[decimalMark];
  const read = readNumber(language, cell, { currency: money ? currency : undefined, percent });
  if (!read) return cellProblem('import.not_a_number', cell);
  if ('value' in read) return { value: read.value };
  const [one, other] = read.either;
  const shown = (value: string): string => value.replace('.', decimalMark);
  return cellProblem('import.which_number', cell, { one: shown(one), other: shown(other) });
}

const yes: readonly string[] = ['yes', 'y', 'true', '1', 'x', 'áno', 'ano', 'a'];
const no: readonly string[] = ['no', 'n', 'false', '0', 'nie', '-'];

function readYesOrNo(cell: string): ReadCell {
  const word = comparisonForm(cell);
  if (yes.includes(word)) return { value: true };
  return no.includes(word) ? { value: false } : cellProblem('import.not_yes_or_no', cell);
}

const isDate = (value: string): boolean => !checkValue(z.iso.date(), value).problems;

/**
 * `2026-11-30`, `30.11.2026`, `30. 11. 2026`, and `30/11/2026` where it can only mean one day; a time of day is
 * dropped.
 */
function readDateCell(cell: string): ReadCell {
  const date = cell.replace(/[T ]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/, '');
  if (isDate(date)) return { value: date };
  const [, first = '', sign = '', second = '', year = ''] =
    /^(\d{1,2})\s*([./])\s*(\d{1,2})\s*[./]\s*(\d{4})$/.exec(date) ?? [];
  if (first === '') return cellProblem('import.not_a_date', cell);
  const asDate = (day: string, month: string): string =>
    `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const meant = sign === '.' ? [asDate(first, second)] : [asDate(first, second), asDate(second, first)];
  const [one, other] = new Set(meant.filter(isDate));
  if (one === undefined) return cellProblem('import.not_a_date', cell);
  return other === undefined ? { value: one } : cellProblem('import.which_date', cell);
}

const codeNames = new Map<string, ReadonlyMap<string, string>>();

/** A choice by its value or by its label in either language; a country by its code or its name. */
function readChoice({ name, values, description }: ImportTarget['field'], cell: string): ReadCell {
  const wanted = comparisonForm(cell);
  const plain = values.find((each) => comparisonForm(each) === wanted);
  if (plain !== undefined) return { value: plain };
  const kind = description?.codesOf;
  const known = kind ? namesOfCodes(kind, values) : undefined;
  const found =
    known?.get(wanted) ??
    values.find((each) => {
      const label = description?.choices?.[each] ?? text('', '');
      return [label.en, label.sk].some((said) => comparisonForm(said) === wanted);
    });
  return found === undefined ? cellProblem('import.no_such_choice', cell, { name }) : { value: found };
}

function namesOfCodes(type: 'region' | 'currency', codes: readonly string[]): ReadonlyMap<string, string> {
  const known = codeNames.get(type);
  if (known) return known;
  const names = ['en', 'sk'].map((language) => new Intl.DisplayNames(language, { type }));
  const byName = codes.flatMap((code) =>
    names.map((each): [string, string] => [comparisonForm(each.of(code) ?? code), code]),
  );
  const made = new Map(byName);
  codeNames.set(type, made);
  return made;
}
