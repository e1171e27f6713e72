import { limits } from '@dealkeep/contract';
import { readNumber } from '@dealkeep/core/foundations';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/operations/imports/read-file.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What a Slovak Excel saves as "CSV (oddelený bodkočiarkou)". */
function windows1250(text: string): Uint8Array {
  const decoder = new TextDecoder('windows-1250');
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from(text, (sign) => bytes.get(sign) ?? 0x3f);
}

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');

async function read(bytes: Uint8Array) {
  const { rows, ...file } = await openFile(bytes);
  const all = [];
  for await (const some of rows) all.push(...some);
  return { ...file, rows: all };
}

const table = [
  ['Názov', 'IČO', 'Poznámka'],
  ['Žltý kôň, s. r. o.', '36123456', 'ľščťžýáíé'],
  ['Tatra; bikes', '', 'a "b"'],
];
const written = (delimiter: string): string =>
  table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');

describe('a file as spreadsheets save it', () => {
  test.each([
    ['UTF-8 with a byte order mark and semicolons', utf8(`\ufeff${written(';')}`), 'utf-8', ';'],
    ['UTF-8 without a byte order mark and commas', utf8(written(',')), 'utf-8', ','],
    ['Windows-1250 and semicolons', windows1250(written(';')), 'windows-1250', ';'],
    ['UTF-8 and tabs', utf8(written('\t')), 'utf-8', '\t'],
    ['UTF-16 and tabs', utf16(written('\t')), 'utf-16le', '\t'],
    ['a hint of Excel', utf8(`sep=;\r\n${written(';')}`), 'utf-8', ';'],
  ])('is read: %s (rule importing 2)', async (_, bytes, encoding, delimiter) => {
    const file = await read(bytes);
    expect(file).toMatchObject({ encoding, delimiter, headings: table[0] });
    expect(file.rows.map(({ cells }) => cells)).toEqual(table.slice(1));
  });

  test('lines are told of the file, whatever stands in its cells, and blank ones are no rows', async () => {
    const { rows } = await read(utf8('a;b\r\n\r\n1;"x\r\ny"\r\n;\n2;z\r3;'));
    expect(rows).toEqual([
      { number: 1, line: 3, cells: ['1', 'x\r\ny'] },
      { number: 2, line: 6, cells: ['2', 'z'] },
      { number: 3, line: 7, cells: ['3', ''] },
    ]);
  });

  test('the apostrophe before a formula of an export is taken away again (rule importing 2)', async () => {
    const { rows } = await read(utf8("a;b\n'+421 900 123;'=1+1\n'quoted';'@x"));
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['+421 900 123', '=1+1'],
      ["'quoted'", '@x'],
    ]);
  });

  test.each([
    ['a;b\n1,5;x', ','],
    ['a,b\n1.5,x', '.'],
    ['a\tb\n1250,50\tx', ','],
    ['a\tb\n1250.50\tx', '.'],
  ])(
    'what its numbers have before decimals follows from what stands between cells: %j',
    async (text, mark) => {
      expect((await read(utf8(text))).decimalMark).toBe(mark);
      expect(readNumber(mark === ',' ? 'sk' : 'en', mark === ',' ? '1250,5' : '1250.5')).toEqual({
        value: '1250.5',
      });
    },
  );
});

describe('a file that cannot be read says why, and where (rules importing 1 and 3)', () => {
  const long = 'x'.repeat(1024 * 1024);
  test.each([
    ['an empty file', utf8(''), 'import.empty', {}],
    ['a byte order mark alone', utf8('\ufeff'), 'import.empty', {}],
    ['blank lines alone', utf8('\n\n;;\n'), 'import.empty', {}],
    ['only headings', utf8('\nName;Email\n'), 'import.only_headings', { line: 2 }],
    ['a workbook', Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14, 0x00), 'import.spreadsheet', {}],
    ['a workbook of long ago', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), 'import.spreadsheet', {}],
    ['a NUL', utf8('a;b\n1;2\n3;\0'), 'import.not_text', { line: 3 }],
    ['a NUL in UTF-16', utf16('a\tb\n1\t2\n3\t\0'), 'import.not_text', { line: 3 }],
    ['a quote that is not closed', utf8('a;b\n1;2\n3;"4\n5;6'), 'import.broken_quotes', { line: 3 }],
    ['a quote in the middle of a cell', utf8('a;b\n1;2\n3;4"5'), 'import.broken_quotes', { line: 3 }],
    ['signs behind a closing quote', utf8('a;b\n"1"2;3'), 'import.broken_quotes', { line: 2 }],
    ['a row of 1 MiB', utf8(`a;b\n1;2\n3;${long}`), 'import.row_too_large', { line: 3, max: 256 }],
    [
      'a row of 1 MiB of many lines',
      utf8(`a;b\n1;"${'x\n'.repeat(512 * 1024)}"`),
      'import.row_too_large',
      { line: 2 },
    ],
    ['a heading of 1 MiB', utf8(`a;${long}\n1;2`), 'import.row_too_large', { line: 1 }],
    [
      'a heading twice',
      utf8('Name;Email;name\n1;2;3'),
      'import.heading_twice',
      { first: 1, second: 3, line: 1 },
    ],
    [
      'too many columns',
      utf8(`${Array.from({ length: 201 }, (_, n) => `c${n}`).join(';')}\n1`),
      'import.too_many_columns',
      { line: 1 },
    ],
    ['too many cells in a row', utf8(`a;b\n${';'.repeat(200)}x`), 'import.too_many_columns', { line: 2 }],
    [
      'too many rows',
      utf8(`a;b\n${'1;2\n'.repeat(limits.importRows + 1)}`),
      'import.too_many_rows',
      { max: limits.importRows },
    ],
    ['too many bytes', new Uint8Array(limits.importBytes + 1).fill(97), 'import.too_large', { max: 10 }],
  ])('%s', async (_, bytes, key, values) => {
    await expect(read(bytes)).rejects.toMatchObject({ key, values: expect.objectContaining(values) });
  });

  test('the largest file is read in parts, between which others have their turn', async () => {
    const row = `1;${'x'.repeat(300)}\n`;
    const bytes = utf8(`a;b\n${row.repeat(Math.floor(limits.importBytes / row.length) - 2)}`);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const { rows } = await read(bytes);
    clearInterval(timer);
    expect(rows.length).toBeGreaterThan(30_000);
    // A part is 64 KiB.
    expect(turns).toBeGreaterThan(50);
  });
});
