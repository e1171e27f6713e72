import { Problem } from '../../foundations/problem.ts';

/** How a file's bytes became text. */
export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250';

interface Signature {
  readonly bytes: readonly number[];
  readonly encoding?: FileEncoding;
}

/** What files begin with: a byte order mark, or what tells that it is no text at all. */
const signatures: readonly Signature[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  // A ZIP archive, which workbooks of today are, and the container of older ones.
  { bytes: [0x50, 0x4b, 0x03, 0x04] },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0] },
];

/**
 * Finds out how a file's text is encoded: by its byte order mark; else it is UTF-8 if it can be, and otherwise what
 * a Slovak Excel saves. Raises VALIDATION_ERROR for a workbook, and for bytes that no text has, naming their line.
 */
export function encodingOf(bytes: Uint8Array): FileEncoding {
  const known = signatures.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  if (known && !known.encoding) throw new Problem('import.spreadsheet');
  const encoding = known?.encoding ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1250');
  if (encoding === 'utf-8' || encoding === 'windows-1250') {
    const at = bytes.indexOf(0);
    if (at !== -1) throw new Problem('import.not_text', { line: lineAt(bytes, at) });
  }
  return encoding;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const lineFeed = 0x0a;

function lineAt(bytes: Uint8Array, end: number): number {
  let line = 1;
  for (let at = bytes.indexOf(lineFeed); at !== -1 && at < end; at = bytes.indexOf(lineFeed, at + 1))
    line += 1;
  return line;
}

/** So much is decoded, and read, before others have their turn. */
const chunkBytes = 64 * 1024;

/** The text of a file in parts, without its byte order mark. Raises VALIDATION_ERROR for a NUL, naming its line. */
export function* textParts(bytes: Uint8Array, encoding: FileEncoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  let line = 1;
  for (let begin = 0; begin < bytes.length; begin += chunkBytes) {
    const text = decoder.decode(bytes.subarray(begin, begin + chunkBytes), { stream: true });
    const nul = text.indexOf('\0');
    if (nul !== -1) {
      throw new Problem('import.not_text', { line: line + linesIn(text.slice(0, nul)) });
    }
    line += linesIn(text);
    yield text;
  }
  yield decoder.decode();
}

export const linesIn = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;
