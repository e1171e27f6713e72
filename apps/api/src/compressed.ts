import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { asciiLowerCase } from '@dealkeep/contract';

export type Encoding = 'br' | 'gzip';

/** Smaller answers fit into one packet as they are. */
const leastBytes = 1024;

/** Above this, Brotli takes more time for an answer than it saves on the way. */
const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/**
 * How an answer of this length is sent: compressed where it is worth it and the client takes it (RFC 9110, 12.5.3).
 */
export function encodingOf(
  body: string,
  acceptEncoding: string | undefined,
): { readonly encoding?: Encoding | undefined; readonly depends: boolean } {
  if (body.length <= leastBytes && Buffer.byteLength(body) <= leastBytes) return { depends: false };
  return { encoding: encodingFor(acceptEncoding), depends: true };
}

/** By threads of their own, so that a large answer does not stop the others. */
export const compress = async (body: string, encoding: Encoding): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(
    encoding === 'br' ? await promisify(brotliCompress)(body, brotli) : await promisify(gzip)(body),
  );

/** The encoding that a client likes best, the smaller one of two that it likes as well; undefined for none. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  if (!acceptEncoding) return undefined;
  const weights = new Map(acceptEncoding.split(',').map(weighed));
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const asIs = weights.get('identity') ?? 0;
  const [best] = (['br', 'gzip'] as const)
    .map((name) => ({ name, weight: weightOf(name) }))
    .filter(({ weight }) => weight > 0 && weight >= asIs)
    .sort((one, other) => other.weight - one.weight);
  return best?.name;
}

/** `gzip;q=0.5`; a weight that is none counts as nought. */
function weighed(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((each) => asciiLowerCase(each.trim()));
  const given = parameters.find((each) => each.startsWith('q='))?.slice(2);
  return [name === 'x-gzip' ? 'gzip' : name, given === undefined ? 1 : Number(given) || 0];
}
