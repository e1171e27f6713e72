import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { comparisonForm, limits } from '@dealkeep/contract';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import * as z from 'zod';
import { Problem } from '../../foundations/problem.ts';
import { encodingOf, type FileEncoding, linesIn, textParts } from './file-text.ts';

/** A row of a file below its headings. */
export interface FileRow {
  /** Counted from 1. */
  readonly number: number;
  /** Of the file, where the row begins; counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export const delimiters = [';', ',', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** What a file is, found out from its beginning. */
export interface OpenedFile {
  readonly encoding: FileEncoding;
  readonly delimiter: Delimiter;
  /** What its numbers have before their decimals, as far as its beginning tells. */
  readonly decimalMark: ',' | '.';
  readonly headings: readonly string[];
  /** Some at a time. Raises VALIDATION_ERROR for what cannot be read, naming its line. */
  readonly rows: AsyncGenerator<readonly FileRow[]>;
}

const decimalMarkOf = { ';': ',', ',': '.', '|': '.' } as const;
const rowsReadAtOnce = 500;

/**
 * Opens a CSV file as spreadsheets and programs write it: UTF-8 with and without a byte order mark, UTF-16,
 * Windows-1250; semicolons, commas, tabs or bars between cells; lines that end in any way. The first row that is not
 * blank holds the headings. Raises VALIDATION_ERROR for a file that has none, or none below them.
 */
export async function openFile(bytes: Uint8Array): Promise<OpenedFile> {
  if (bytes.length === 0) throw new Problem('import.empty');
  if (bytes.length > limits.importBytes) {
    throw new Problem('import.too_large', { max: limits.importBytes / 1024 / 1024 });
  }
  const encoding = encodingOf(bytes);
  const sample = sampleOf(bytes, encoding);
  if (sample.trim() === '' && bytes.length < sampleBytes) throw new Problem('import.empty');
  // What Excel takes for a hint, and some programs write for it.
  const hinted = /^sep=([;,\t|])\r?\n/i.exec(sample)?.[1];
  const skipped = hinted === undefined ? 0 : 1;
  const delimiter = delimiters.find((each) => each === hinted) ?? delimiterOf(sample);
  const records = recordsOf(bytes, { encoding, delimiter, skipped });
  const first = await records.next();
  if (first.done) throw new Problem('import.empty');
  const headings = headingsOf(first.value);
  const rows = rowsBelow(records, first.value.line);
  const begun = await rows.next();
  return {
    encoding,
    delimiter,
    decimalMark: delimiter === '\t' ? decimalMarkIn(sample) : decimalMarkOf[delimiter],
    headings,
    rows: begunWith(begun, rows),
  };
}

const sampleBytes = 64 * 1024;

function sampleOf(bytes: Uint8Array, encoding: FileEncoding): string {
  const [sample = ''] = textParts(bytes.subarray(0, sampleBytes), encoding);
  return sample;
}

/** `1250,50` between tabs. */
const decimalMarkIn = (sample: string): ',' | '.' =>
  /(?:^|\t)-?\d+,\d{1,2}(?:\t|\r|\n)/m.test(sample) ? ',' : '.';

const sampledRows = 20;
const recordDelimiters = ['\r\n', '\n', '\r'];

/** What stands between the cells: what gives most of them, the same number in as many rows as possible. */
function delimiterOf(sample: string): Delimiter {
  const scores = delimiters.map((delimiter) => {
    const counts = sampled(sample, delimiter).map((cells) => cells.length);
    const [first = 1] = counts;
    return { delimiter, columns: first, same: counts.filter((count) => count === first).length };
  });
  const several = scores.filter(({ columns }) => columns > 1);
  const [best] = several.toSorted((a, b) => b.same - a.same || b.columns - a.columns);
  return best?.delimiter ?? ';';
}

const anyCells = z.array(z.string());

/** The first rows, as far as they can be read. */
function sampled(sample: string, delimiter: Delimiter): string[][] {
  const rows: string[][] = [];
  const options: Options = {
    delimiter,
    record_delimiter: recordDelimiters,
    relax_column_count: true,
    skip_empty_lines: true,
    to: sampledRows,
    on_record: (record) => void rows.push(record),
  };
  try {
    parseNow(sample, options);
  } catch (error) {
    // It ends in the middle of a row, or is broken, which is told when the whole is read.
    if (!(error instanceof CsvError)) throw error;
  }
  return rows;
}

interface FileRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Every record that is not blank, with the line that it begins in. */
async function* recordsOf(
  bytes: Uint8Array,
  { encoding, delimiter, skipped }: { encoding: FileEncoding; delimiter: Delimiter; skipped: number },
): AsyncGenerator<FileRecord> {
  // Of the last record; the parser counts those line ends twice that are two signs and stand in quotes.
  let [line, countedTwice] = [skipped, 0];
  const begins: number[] = [];
  const parser = parse({
    delimiter,
    record_delimiter: recordDelimiters,
    relax_column_count: true,
    max_record_size: limits.importRowBytes,
    from_line: skipped + 1,
    on_record(cells, { lines }) {
      countedTwice += cells.reduce((sum, cell) => sum + cell.split('\r\n').length - 1, 0);
      line = lines - countedTwice;
      begins.push(line - cells.reduce((sum, cell) => sum + linesIn(cell), 0));
      return cells;
    },
  });
  const source = Readable.from(inTurns(textParts(bytes, encoding)));
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const each of source.pipe(parser)) {
      const [cells, begin = 0] = [anyCells.parse(each), begins.shift()];
      if (cells.some((cell) => cell.trim() !== '')) yield { line: begin, cells };
    }
  } catch (error) {
    throw problemOf(error, line + 1) ?? error;
  } finally {
    source.destroy();
  }
}

/** Lets others have their turn between the parts. */
async function* inTurns(parts: Iterable<string>): AsyncGenerator<string> {
  for (const part of parts) {
    yield part;
    await setImmediate();
  }
}

function problemOf(error: unknown, line: number): Problem | undefined {
  if (!(error instanceof CsvError)) return undefined;
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new Problem('import.row_too_large', { line, max: limits.importRowBytes / 1024 });
  }
  return /QUOTE/.test(error.code) ? new Problem('import.broken_quotes', { line }) : undefined;
}

function headingsOf({ cells, line }: FileRecord): string[] {
  const trimmed = cells.map((cell) => plainCell(cell).trim());
  const headings = trimmed.slice(0, trimmed.findLastIndex((heading) => heading !== '') + 1);
  if (headings.length > limits.importColumns) {
    throw new Problem('import.too_many_columns', { line, max: limits.importColumns });
  }
  const seen = new Map<string, number>();
  for (const [index, heading] of headings.entries()) {
    const first = seen.get(comparisonForm(heading));
    if (heading !== '' && first !== undefined) {
      throw new Problem('import.heading_twice', { heading, line, first: first + 1, second: index + 1 });
    }
    seen.set(comparisonForm(heading), index);
  }
  return headings;
}

async function* rowsBelow(
  records: AsyncGenerator<FileRecord>,
  headingLine: number,
): AsyncGenerator<readonly FileRow[]> {
  let number = 0;
  let rows: FileRow[] = [];
  for await (const { cells, line } of records) {
    number += 1;
    if (number > limits.importRows) throw new Problem('import.too_many_rows', { max: limits.importRows });
    if (cells.length > limits.importColumns) {
      throw new Problem('import.too_many_columns', { line, max: limits.importColumns });
    }
    rows.push({ number, line, cells: cells.map(plainCell) });
    if (rows.length < rowsReadAtOnce) continue;
    yield rows;
    rows = [];
  }
  if (number === 0) throw new Problem('import.only_headings', { line: headingLine });
  if (rows.length > 0) yield rows;
}

async function* begunWith<Item>(
  begun: IteratorResult<Item>,
  rest: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  if (begun.done) return;
  yield begun.value;
  yield* rest;
}

/**
 * A text that was written behind an apostrophe, so that no spreadsheet runs it (rule leaving 4), as it was before.
 */
const plainCell = (cell: string): string =>
  /^'[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell;
