import type { MessageKey } from '@dealkeep/contract';
import * as z from 'zod';
import {
  metadataDocumentBytes,
  metadataDocumentFresh,
  metadataDocumentReadMs,
} from '../../foundations/operating-limits.ts';
import {
  type AllowedTargets,
  checkTargetUrl,
  createGuardedAgent,
  type OutboundProxy,
  type ReadDocument,
  RequestFailure,
  type Resolve,
  readDocument,
} from '../../foundations/outgoing/index.ts';
import { redirectUriProblem } from './redirect-uris.ts';

/** What reading a document of the network needs. */
export interface DocumentReading {
  readonly allowedTargets: AllowedTargets;
  readonly outboundProxy?: OutboundProxy | undefined;
  readonly resolve?: Resolve;
}

/** What a Client ID Metadata Document says of its application, as far as it counts here. */
export interface AppDocument {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Seconds until it is read again. */
  readonly freshSeconds: number;
}

/** Why a document is none that an application can be registered by. */
export class DocumentRefusal extends Error {
  override readonly name = 'DocumentRefusal';
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, string | number>>;
  /** Whether its makers say so; else it may be trouble that passes. */
  readonly isFinal: boolean;

  constructor(
    key: MessageKey,
    {
      values = {},
      isFinal = false,
      cause,
    }: {
      values?: Readonly<Record<string, string | number>>;
      isFinal?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(`${key} ${JSON.stringify(values)}`, { cause });
    this.key = key;
    this.values = values;
    this.isFinal = isFinal;
  }
}

const longestAddress = 500;

/**
 * Whether a text can be the address of such a document (draft-ietf-oauth-client-id-metadata-document, 3). As it is
 * compared to the letter, it is taken only as the URL parser writes it, and only of characters that mean nothing to
 * a shell: the page that asks for its registration shows it within a command.
 */
export function isDocumentAddress(text: string): boolean {
  if (text.length > longestAddress || !/^https:\/\/[\w.[\]:-]+\/[\w.~%/@:+-]+$/.test(text)) return false;
  const url = URL.parse(text);
  return url?.href === text && url.pathname !== '/' && !url.username && !url.password;
}

/**
 * Reads the document of an application and judges it. Nothing is followed or fetched besides. Raises
 * DocumentRefusal.
 */
export async function readAppDocument(
  { allowedTargets, outboundProxy, resolve }: DocumentReading,
  address: string,
): Promise<AppDocument> {
  if (!isDocumentAddress(address)) throw new DocumentRefusal('assistant.address', { isFinal: true });
  const target = checkTargetUrl(address, allowedTargets);
  if (!target.ok) {
    throw new DocumentRefusal(
      target.code === 'WEBHOOK_URL_BLOCKED' ? 'assistant.private' : 'assistant.address',
    );
  }
  const agent = createGuardedAgent({
    allowed: allowedTargets,
    proxy: outboundProxy,
    ...(resolve ? { resolve } : {}),
  });
  try {
    return judge(address, await readDocument(agent, target.url, asked));
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    const key = error.reason === 'target_blocked' ? 'assistant.private' : 'assistant.unreachable';
    throw new DocumentRefusal(key, { values: { host: target.url.host }, cause: error });
  } finally {
    await agent.destroy();
  }
}

const asked = {
  limitMs: metadataDocumentReadMs,
  limitBytes: metadataDocumentBytes,
  accept: 'application/json',
} as const;

/** Fields that do not count are not looked at: a document may say whatever it likes besides (RFC 7591, 2). */
const Document = z.object({
  client_id: z.unknown().optional(),
  client_name: z.unknown().optional(),
  redirect_uris: z.array(z.unknown()).catch([]),
  token_endpoint_auth_method: z.unknown().optional(),
  token_endpoint_auth_methods_supported: z.array(z.unknown()).catch([]),
  client_secret: z.unknown().optional(),
});

function judge(address: string, document: ReadDocument): AppDocument {
  const { status, body, contentType } = document;
  if (status !== 200) {
    // Gone for good, as far as its makers know.
    throw new DocumentRefusal('assistant.status', {
      values: { status },
      isFinal: [404, 410].includes(status),
    });
  }
  if (!body) {
    throw new DocumentRefusal('assistant.too_long', { values: { kib: metadataDocumentBytes / 1024 } });
  }
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new DocumentRefusal('assistant.no_json');
  }
  const read = Document.safeParse(parsed(body));
  if (!read.success) throw new DocumentRefusal('assistant.no_json');
  const said = read.data;
  const refused = (key: MessageKey) => new DocumentRefusal(key, { isFinal: true });
  if (said.client_id !== address) throw refused('assistant.client_id');
  const name = nameOf(said.client_name);
  if (name === undefined) throw refused('assistant.name');
  if (said.client_secret !== undefined || !authenticatesByNothing(said)) throw refused('assistant.secret');
  const redirectUris = usableUris(said.redirect_uris);
  if (redirectUris.length === 0) throw refused('assistant.redirect_uris');
  return { name, redirectUris, freshSeconds: freshSecondsOf(document) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** A name that looks in a sentence like what it is: one line, no character that turns its direction or hides. */
function nameOf(given: unknown): string | undefined {
  if (typeof given !== 'string' || !given.isWellFormed()) return undefined;
  const name = given.trim();
  const looksOtherwise = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(
    name,
  );
  return name === '' || looksOtherwise || [...name].length > 255 ? undefined : name;
}

/** ChatGPT's prefers a signature and can do without; what it can do counts. */
const authenticatesByNothing = (said: z.infer<typeof Document>): boolean =>
  [undefined, 'none'].some((each) => each === said.token_endpoint_auth_method) ||
  said.token_endpoint_auth_methods_supported.includes('none');

const mostUris = 50;

/** Those that people can be sent back to; a document may list others, which other services take. */
const usableUris = (given: readonly unknown[]): string[] => [
  ...new Set(
    given
      .filter((uri) => typeof uri === 'string')
      .filter((uri) => uri.length <= 2000 && redirectUriProblem(uri) === undefined)
      .slice(0, mostUris),
  ),
];

/** How long a document counts by its own headers (RFC 9111, 4.2.1 and 5.2.2), within bounds of ours. */
function freshSecondsOf({ cacheControl = '', expires = '', date = '' }: ReadDocument): number {
  const { least, most, usual } = metadataDocumentFresh;
  const within = (seconds: number) => Math.min(Math.max(seconds, least), most);
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return least;
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(cacheControl)?.[1];
  if (maxAge !== undefined) return within(Number(maxAge));
  const seconds = (Date.parse(expires) - Date.parse(date)) / 1000;
  return Number.isNaN(seconds) ? usual : within(Math.floor(seconds));
}
