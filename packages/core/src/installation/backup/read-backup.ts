import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type * as z from 'zod';
import {
  BackupHeader,
  BackupSection,
  BackupTrailer,
  backupFormat,
  cutBackup,
  damagedBackup,
  frameHeadBytes,
  frameKinds,
  longestFrame,
  longestHeader,
  type SectionSum,
  unusable,
} from './backup-file.ts';
import { RunningSum } from './write-frames.ts';

const newline = 0x0a;

/** One section while it is read. */
export interface ReadSection {
  readonly section: BackupSection;
  /** To be read to its end before the next section. */
  readonly data: AsyncIterable<Buffer>;
}

/** A backup whose first line was read. */
export interface OpenBackup {
  readonly header: BackupHeader;
  /** Once. Ends after the trailer, when every sum is right; else raises OperatorError. */
  sections(): AsyncGenerator<ReadSection, BackupTrailer>;
}

/** Reads the first line of a backup. Raises OperatorError for what is none, and for one of another form. */
export async function openBackup(source: Readable): Promise<OpenBackup> {
  const chunks: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  const { line, rest } = await firstLine(chunks);
  const header = readHeader(line);
  const headerSum = createHash('sha256').update(line).digest('hex');
  return { header, sections: () => readSections(restOf(rest, chunks), headerSum) };
}

async function firstLine(chunks: AsyncIterator<Buffer>): Promise<{ line: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  while (read.length < longestHeader) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    read = Buffer.concat([read, value]);
    const end = read.indexOf(newline);
    if (end >= 0) return { line: read.subarray(0, end), rest: read.subarray(end + 1) };
    // What does not begin so need not be read any further.
    if (!read.subarray(0, beginning.length).equals(beginning.subarray(0, read.length))) break;
  }
  throw read.length > 0 && beginning.subarray(0, read.length).equals(read.subarray(0, beginning.length))
    ? cutBackup()
    : notOne();
}

const beginning = Buffer.from('{"dealkeep_backup":');

const notOne = () =>
  unusable(
    'is not one that Dealkeep has made: give the file that it wrote (a dump of PostgreSQL is read by pg_restore)',
  );

function readHeader(line: Buffer): BackupHeader {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null || !('dealkeep_backup' in value)) throw notOne();
  const { dealkeep_backup: format } = value;
  if (typeof format === 'number' && format > backupFormat) {
    const made = 'version' in value ? ` by Dealkeep ${value.version}` : '';
    throw unusable(`was made in a newer form (${format})${made}: use that version of Dealkeep`);
  }
  const header = BackupHeader.safeParse(value);
  if (!header.success) throw damagedBackup('its first line');
  return header.data;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

async function* restOf(rest: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (rest.length > 0) yield rest;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) return;
    yield value;
  }
}

async function* readSections(
  compressed: AsyncIterable<Buffer>,
  headerSum: string,
): AsyncGenerator<ReadSection, BackupTrailer> {
  const frames = new Frames(decompressed(compressed));
  const sums: SectionSum[] = [];
  let frame = await frames.next();
  while (frame.kind === frameKinds.section) {
    const section = readJson(BackupSection, frame.bytes);
    const sum = new RunningSum(section.name);
    let after: Frame | undefined;
    const data = async function* (): AsyncGenerator<Buffer> {
      for (after = await frames.next(); after.kind === frameKinds.data; after = await frames.next()) {
        sum.add(after.bytes);
        yield after.bytes;
      }
    };
    yield { section, data: data() };
    if (after === undefined || after.kind === frameKinds.data)
      throw new Error('A section was not read to its end');
    sums.push(sum.total());
    frame = after;
  }
  if (frame.kind !== frameKinds.trailer) throw damagedBackup('a part of no known kind');
  const trailer = readJson(BackupTrailer, frame.bytes);
  if (trailer.header_sha256 !== headerSum) throw damagedBackup('its first line was changed');
  compareSums(trailer.sections, sums);
  await frames.end();
  return trailer;
}

function compareSums(expected: readonly SectionSum[], found: readonly SectionSum[]): void {
  if (expected.length !== found.length) throw damagedBackup('a table is missing');
  for (const [index, sum] of expected.entries()) {
    const { name, rows, bytes, sha256 } = found[index] ?? sum;
    if (name !== sum.name || rows !== sum.rows || bytes !== sum.bytes || sha256 !== sum.sha256) {
      throw damagedBackup(`the checksum of ${sum.name} is wrong`);
    }
  }
}

function readJson<Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.infer<Schema> {
  const result = schema.safeParse(parsed(bytes));
  if (!result.success) throw damagedBackup('a part is not as it was written');
  return result.data;
}

/** Failures of reading the source are told as they are; those of zstd mean a backup that is cut or damaged. */
async function* decompressed(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let ofSource: unknown;
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* compressed;
    } catch (error) {
      ofSource = error;
      throw error;
    }
  };
  const stream = createZstdDecompress();
  pipeline(Readable.from(watched(), { objectMode: false }), stream, () => {});
  try {
    yield* stream;
  } catch (error) {
    if (ofSource !== undefined) throw ofSource;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'Z_BUF_ERROR') throw cutBackup();
    if (/^(ZSTD|Z_)/.test(code)) throw damagedBackup('it cannot be decompressed');
    throw error;
  }
}

interface Frame {
  readonly kind: number;
  readonly bytes: Buffer;
}

/** Frames of a stream of bytes, holding no more than one. */
class Frames {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer>) {
    this.#chunks = chunks;
  }

  async next(): Promise<Frame> {
    const head = await this.#take(frameHeadBytes);
    const length = head.readUInt32BE(1);
    if (length > longestFrame) throw damagedBackup('a part is too long');
    const kind = head.readUInt8();
    return { kind, bytes: await this.#take(length) };
  }

  /** Behind the trailer is nothing, and what the compression says of its end is heard. */
  async end(): Promise<void> {
    if (this.#held.length > 0 || !(await this.#chunks.next()).done)
      throw damagedBackup('something follows its end');
  }

  async #take(length: number): Promise<Buffer> {
    if (this.#held.length < length) {
      const parts = [this.#held];
      for (let has = this.#held.length; has < length; ) {
        const { value, done } = await this.#chunks.next();
        if (done === true) throw cutBackup();
        parts.push(value);
        has += value.length;
      }
      this.#held = Buffer.concat(parts);
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }
}
