import { asciiLowerCase, limits } from '@dealkeep/contract';
import { droppedBodyBytes } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import type { Arrival } from '../../foundations/reception/reception.ts';

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
  asciiLowerCase(contentType?.split(';')[0]?.trim() ?? '') === formEncoded;

/** A form on its way. */
export interface SentForm {
  readonly contentType: string | undefined;
  readonly body: ReadableStream<Uint8Array> | null;
  /** What counts its bytes; whoever began it ends it. */
  readonly arrival: Arrival;
}

/**
 * Receives a form, the only place that does: its size is judged while it comes, and its fields are counted before
 * they are read. Raises BAD_REQUEST for what is no form, or a larger one than the limits.
 */
export async function receiveForm(
  { contentType, body, arrival }: SentForm,
  { bytes, fields }: FormLimits,
): Promise<URLSearchParams> {
  if (!isFormEncoded(contentType)) throw new Problem('form.content_type');
  const tooLarge = (): Problem => new Problem('form.too_large', { max: bytes / 1024 });
  const received = body ? await receiveBytes(body, arrival, { most: bytes, tooLarge }) : Buffer.alloc(0);
  if (fieldsIn(received) > fields) throw new Problem('form.too_many_fields', { max: fields });
  return new URLSearchParams(received.toString('utf8'));
}

/**
 * A body of at most so many bytes; of a larger one no more is kept. Raises what `tooLarge` makes for it, BAD_REQUEST
 * for one that does not grow, and RATE_LIMITED or SERVICE_UNAVAILABLE where there is no room for it.
 */
export async function receiveBytes(
  body: ReadableStream<Uint8Array>,
  arrival: Arrival,
  { most, tooLarge }: { most: number; tooLarge: () => Problem },
): Promise<Buffer> {
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { value, done } = await Promise.race([reader.read(), arrival.stalled]);
      if (done) break;
      size += value.byteLength;
      if (size <= most) arrival.add(value);
      else if (size <= droppedBodyBytes) arrival.drop(value);
      else break;
    }
  } catch (error) {
    // Of a client that is gone there is nothing to cancel any more.
    if (error instanceof Problem) await reader.cancel();
    throw error;
  }
  if (size > droppedBodyBytes) await reader.cancel();
  if (size > most) throw tooLarge();
  return arrival.complete();
}

/** At least as many as `URLSearchParams` would find. */
function fieldsIn(bytes: Buffer): number {
  let count = bytes.length > 0 ? 1 : 0;
  for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1)) count += 1;
  return count;
}
