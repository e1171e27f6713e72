import { asciiLowerCase, limits } from '@dealkeep/contract';
import { Problem } from '../../foundations/problem.ts';
import { receiveBytes, type SentForm } from './receive-form.ts';

/** A form with a file, as browsers send it. */
export interface Upload {
  /** Its fields that are text. */
  readonly fields: URLSearchParams;
  /** Undefined where none was chosen. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array } | undefined;
}

/** Whether a `Content-Type` is that of a form with a file. */
export const isUpload = (contentType: string | undefined): boolean =>
  asciiLowerCase(contentType?.split(';')[0]?.trim() ?? '') === 'multipart/form-data';

/** More than the form of an import has: its fields, its file and the end. */
const mostParts = 20;
/** What stands around the file: headers of parts, and the other fields. */
const aroundFile = 64 * 1024;

/**
 * Receives a form with a file of at most so many bytes, judged while it comes. Raises VALIDATION_ERROR for a larger
 * one, and for what is no such form.
 */
export async function receiveUpload(
  { contentType = '', body, arrival }: SentForm,
  most: number = limits.importBytes,
): Promise<Upload> {
  const tooLarge = (): Problem => new Problem('import.too_large', { max: most / 1024 / 1024 });
  const received = body
    ? await receiveBytes(body, arrival, { most: most + aroundFile, tooLarge })
    : Buffer.alloc(0);
  const boundary = /;\s*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined || partsIn(received, boundary) > mostParts) {
    throw new Problem('import.broken_upload');
  }
  const form = await formDataOf(received, contentType);
  const fields = new URLSearchParams();
  let file: Upload['file'];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value);
    else if (value.size > most) throw tooLarge();
    else if (value.name !== '' || value.size > 0) {
      file ??= { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
    }
  }
  return { fields, file };
}

function partsIn(bytes: Buffer, boundary: string): number {
  let count = 0;
  for (
    let at = bytes.indexOf(boundary);
    at !== -1 && count <= mostParts;
    at = bytes.indexOf(boundary, at + 1)
  ) {
    count += 1;
  }
  return count;
}

async function formDataOf(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData();
  } catch (error) {
    if (error instanceof TypeError) throw new Problem('import.broken_upload');
    throw error;
  }
}
