import { limits } from '@dealkeep/contract';
import { droppedBodyBytes } from '../operating-limits.ts';
import { Problem } from '../problem.ts';

/** How large a form may be. */
interface FormLimits {
  readonly bytes: number;
  readonly fields: number;
}

/** Of anybody: signing in, the consent page, the token endpoint. */
export const openForm: FormLimits = { bytes: limits.openFormBytes, fields: limits.openFormFields };
/** Of somebody who is signed in. */
export const signedInForm: FormLimits = { bytes: limits.bodyBytes, fields: limits.formFields };

const ampersand = '&'.charCodeAt(0);
const formEncoded = 'application/x-www-form-urlencoded';

/** Whether a `Content-Type` is that of a form; none of ours is sent as multipart. */
export const isFormEncoded = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === formEncoded;

/**
 * Receives a form, the only place that does: its size is judged while it comes, and its fields are counted before
 * they are read. Raises BAD_REQUEST for what is no form, or a larger one than the limits.
 */
export async function receiveForm(
  { contentType, body }: { contentType: string | undefined; body: ReadableStream<Uint8Array> | null },
  { bytes, fields }: FormLimits,
): Promise<URLSearchParams> {
  if (!isFormEncoded(contentType)) throw new Problem('form.content_type');
  const tooLarge = (): Problem => new Problem('form.too_large', { max: bytes / 1024 });
  const received = body ? await receiveBytes(body, bytes, tooLarge) : Buffer.alloc(0);
  if (fieldsIn(received) > fields) throw new Problem('form.too_many_fields', { max: fields });
  return new URLSearchParams(received.toString('utf8'));
}

/** A body of at most so many bytes; of a larger one no more is kept. Raises what `tooLarge` makes for it. */
export async function receiveBytes(
  body: ReadableStream<Uint8Array>,
  most: number,
  tooLarge: () => Problem,
): Promise<Buffer<ArrayBuffer>> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size <= most) chunks.push(value);
    else if (size > droppedBodyBytes) {
      await reader.cancel();
      break;
    }
  }
  if (size > most) throw tooLarge();
  return Buffer.concat(chunks, size);
}

/** At least as many as `URLSearchParams` would find. */
function fieldsIn(bytes: Buffer): number {
  let count = bytes.length > 0 ? 1 : 0;
  for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1)) count += 1;
  return count;
}
