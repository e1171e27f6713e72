import { createCustomApiCallAction } from '@activepieces/pieces-common';
import { createAction, type FilesService } from '@activepieces/pieces-framework';
import { describeTrouble, isApiRecord, troubleOf, valueAt } from '@dealkeep/connectors';
import { dealkeepAuth } from '../auth.ts';
import { addressBelow } from '../requests/address-below.ts';
import { addressAdvice, DealkeepError } from '../requests/api.ts';
import { apiRootOf, authorizationOf } from '../requests/connection.ts';
import { userAgent } from '../requests/send.ts';

const form = createCustomApiCallAction({
  auth: dealkeepAuth,
  baseUrl: (auth) => (auth ? apiRootOf(auth.props) : ''),
});
const { followRedirects: _, ...props } = form.props;

/**
 * What no other action does, in the platform's own form. It is sent by the piece: the platform would send the key to
 * any address, after any redirect, and without a look at certificates.
 */
export const customApiCall = createAction({
  auth: dealkeepAuth,
  name: form.name,
  displayName: form.displayName,
  description: form.description,
  audience: 'human',
  props,
  async run({ auth, propsValue, files }) {
    const url = addressBelow(apiRootOf(auth.props), String(valueAt(propsValue.url, ['url']) ?? ''));
    for (const [name, value] of Object.entries(propsValue.queryParams ?? {})) {
      url.searchParams.append(name, String(value));
    }
    const body = bodyOf(propsValue.body_type, valueAt(propsValue.body, ['data']) ?? propsValue.body);
    const method = String(propsValue.method);
    const seconds = propsValue.timeout;
    const response = await sent(url, {
      method,
      headers: headersOf(propsValue.headers, body.type, authorizationOf(auth.props)),
      ...(body.content === undefined || hasNoBody.has(method) ? {} : { body: body.content }),
      ...(seconds ? { signal: AbortSignal.timeout(seconds * 1000) } : {}),
    });
    const content = await contentOf(response, files, propsValue.response_is_binary === true);
    if (response.ok) {
      return { status: response.status, headers: Object.fromEntries(response.headers), body: content };
    }
    if (propsValue.failsafe) return { response: { status: response.status, body: content } };
    throw refusal(response.status, content);
  },
});

const hasNoBody = new Set(['GET', 'HEAD']);

/** Sends a request once, and follows no redirect, because the key would go along. */
async function sent(url: URL, request: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...request, redirect: 'manual' }).catch((error: unknown) => {
    const trouble = troubleOf(valueAt(error, ['cause', 'code']));
    throw new DealkeepError(describeTrouble(url, addressAdvice, trouble), 'UNREACHABLE');
  });
  if (response.status < 300 || response.status >= 400) return response;
  throw new DealkeepError(describeTrouble(url, addressAdvice, 'redirected'), 'UNREACHABLE');
}

function headersOf(given: unknown, contentType: string | undefined, authorization: string): Headers {
  const headers = new Headers({
    Accept: 'application/json',
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
  });
  for (const [name, value] of Object.entries(isApiRecord(given) ? given : {})) {
    headers.set(name, String(value));
  }
  headers.set('Authorization', authorization);
  headers.set('User-Agent', userAgent);
  return headers;
}

interface Body {
  readonly content?: string | FormData;
  /** Undefined where `fetch` writes it, or where there is none. */
  readonly type?: string;
}

function bodyOf(kind: string | undefined, data: unknown): Body {
  if (kind === 'none' || data === undefined || data === null) return {};
  if (kind === 'form_data') return { content: formOf(data) };
  if (isApiRecord(data) && Object.keys(data).length === 0 && kind === undefined) return {};
  return { content: typeof data === 'string' ? data : JSON.stringify(data), type: 'application/json' };
}

function formOf(fields: unknown): FormData {
  const content = new FormData();
  for (const field of [fields].flat().filter(isApiRecord)) {
    const name = String(field['fieldName']);
    const file = field['fileFieldValue'];
    const data = valueAt(file, ['data']);
    if (field['fieldType'] === 'file' && data instanceof Uint8Array) {
      content.append(name, new Blob([new Uint8Array(data)]), String(valueAt(file, ['filename'])));
    } else if (field['fieldType'] === 'text' && field['textFieldValue']) {
      content.append(name, String(field['textFieldValue']));
    }
  }
  return content;
}

async function contentOf(response: Response, files: FilesService, isBinary: boolean): Promise<unknown> {
  if (isBinary && response.ok) {
    const [, ending = 'bin'] = /^\w+\/([\w-]+)/.exec(response.headers.get('content-type') ?? '') ?? [];
    return files.write({ fileName: `output.${ending}`, data: Buffer.from(await response.arrayBuffer()) });
  }
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(status: number, content: unknown): DealkeepError {
  const message = valueAt(content, ['error', 'message']);
  const code = valueAt(content, ['error', 'code']);
  return new DealkeepError(
    `${status}: ${typeof message === 'string' ? message : 'The answer says no reason.'}`,
    typeof code === 'string' ? code : 'REFUSED',
  );
}
