import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of a pixel, 0 to 255 each. */
  pixel(x: number, y: number): readonly number[];
}

const bytesPerPixel = 4;
const eightBitsWithAlpha = [8, 6, 0, 0, 0];

/** Reads a PNG of the one kind that Chromium writes without a background: 8 bits, RGBA, not interlaced. */
export async function readPng(path: string): Promise<Picture> {
  const file = await readFile(path);
  const parts: Buffer[] = [];
  let header = Buffer.alloc(0);
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    if (type === 'IHDR') header = data;
    if (type === 'IDAT') parts.push(data);
  }
  if ([...header.subarray(8)].join() !== eightBitsWithAlpha.join())
    throw new Error(`${path} has no alpha channel.`);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = unfiltered(inflateSync(Buffer.concat(parts)), width * bytesPerPixel, height);
  return {
    width,
    height,
    pixel: (x, y) => [...(rows[y]?.subarray(x * bytesPerPixel, (x + 1) * bytesPerPixel) ?? [])],
  };
}

/** Undoes the filter that each row begins with (PNG specification, section 9). */
function unfiltered(data: Buffer, rowBytes: number, height: number): Buffer[] {
  const rows: Buffer[] = [];
  let above = Buffer.alloc(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (rowBytes + 1)];
    const row = Buffer.from(data.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1)));
    for (let x = 0; x < rowBytes; x += 1) {
      const [left, up, corner] = [row[x - bytesPerPixel] ?? 0, above[x] ?? 0, above[x - bytesPerPixel] ?? 0];
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      row[x] = (row[x] ?? 0) + (guesses[filter ?? 0] ?? 0);
    }
    rows.push(row);
    above = row;
  }
  return rows;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
