import { createHash } from 'node:crypto';
import type { BackupSection, BackupTrailer, SectionSum } from './backup-file.ts';
import { frameHeadBytes, frameKinds, longestFrame } from './backup-file.ts';

const newline = 0x0a;

function frame(kind: number, bytes: Uint8Array): Buffer[] {
  const head = Buffer.allocUnsafe(frameHeadBytes);
  head.writeUInt8(kind);
  head.writeUInt32BE(bytes.length, 1);
  return [head, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)];
}

const jsonFrame = (kind: number, value: object): Buffer[] => frame(kind, Buffer.from(JSON.stringify(value)));

/** The frames of one section; adds its sum to `sums` when all of it is written. */
export async function* writeSection(
  section: BackupSection,
  data: AsyncIterable<Buffer>,
  sums: SectionSum[],
): AsyncGenerator<Buffer> {
  yield* jsonFrame(frameKinds.section, section);
  const sum = new RunningSum(section.name);
  for await (const chunk of data) {
    sum.add(chunk);
    for (let at = 0; at < chunk.length; at += longestFrame) {
      yield* frame(frameKinds.data, chunk.subarray(at, at + longestFrame));
    }
  }
  sums.push(sum.total());
}

export const writeTrailer = (trailer: BackupTrailer): Buffer[] => jsonFrame(frameKinds.trailer, trailer);

/** Counts and sums up a section while it passes by. A row is a line: what breaks a line is escaped in it. */
export class RunningSum {
  readonly #hash = createHash('sha256');
  readonly #name: string;
  #rows = 0;
  #bytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) this.#rows += 1;
  }

  total(): SectionSum {
    return { name: this.#name, rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
