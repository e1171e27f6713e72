import { oauthScopes } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Statements } from '../../foundations/database/connect.ts';
import {
  metadataDocumentKeptDays,
  metadataDocumentTriedEverySeconds,
} from '../../foundations/operating-limits.ts';
import { invalidField, type Problem } from '../../foundations/problem.ts';
import { findOAuthApp, knownScopes, type OAuthApp } from './apps.ts';
import {
  type AppDocument,
  type DocumentReading,
  DocumentRefusal,
  readAppDocument,
} from './metadata-document.ts';
import { later } from './protocol.ts';

/** Reads the document of an application that is to be registered. Raises VALIDATION_ERROR about `metadata_url`. */
export async function readNewAppDocument(reading: DocumentReading, address: string): Promise<AppDocument> {
  try {
    return await readAppDocument(reading, address);
  } catch (error) {
    throw error instanceof DocumentRefusal ? problemOf(error) : error;
  }
}

const problemOf = ({ key, values }: DocumentRefusal): Problem => invalidField('metadata_url', key, values);

/**
 * Registers the application that a document describes, for everybody or for those it will be opened to. What was
 * registered before stays; the operator's word on scopes replaces what there was. Answers it.
 */
export async function saveDocumentedApp(
  sql: Statements,
  {
    address,
    document: { name, redirectUris, freshSeconds },
    scopes,
    now,
  }: {
    address: string;
    document: AppDocument;
    /** The operator's, for everybody; absent where an owner registers it. */
    scopes?: readonly string[] | undefined;
    now: Date;
  },
): Promise<void> {
  const everywhere = scopes !== undefined;
  const read = now.toISOString();
  await sql`
    insert into oauth_apps as a (client_id, name, redirect_uris, scopes, everywhere, created_at, document_read_at,
                                 document_fresh_until)
    values (${address}, ${name}, ${[...redirectUris]}, ${[...(scopes ?? oauthScopes)]}, ${everywhere}, ${read}, ${read},
            ${later(now, freshSeconds)})
    on conflict (client_id) do update
    set name = excluded.name, redirect_uris = excluded.redirect_uris, document_read_at = excluded.document_read_at,
        document_fresh_until = excluded.document_fresh_until, document_failed_at = null,
        everywhere = a.everywhere or excluded.everywhere,
        scopes = case when excluded.everywhere then excluded.scopes else a.scopes end`;
}

/**
 * Registers an application by the address of its document, for every organization. Registered again it is read anew.
 * Raises VALIDATION_ERROR and OperatorError.
 */
export async function createDocumentedApp(
  { sql, clock, ...reading }: DocumentReading & { sql: Database; clock: Clock },
  { metadataUrl, scopes }: { metadataUrl: string; scopes: readonly string[] | undefined },
): Promise<Pick<OAuthApp, 'client_id' | 'name' | 'redirect_uris' | 'scopes'>> {
  const allowed = scopes ? knownScopes(scopes) : [...oauthScopes];
  const document = await readNewAppDocument(reading, metadataUrl);
  await saveDocumentedApp(sql, { address: metadataUrl, document, scopes: allowed, now: clock.now() });
  const { name } = document;
  return { client_id: metadataUrl, name, redirect_uris: [...document.redirectUris], scopes: allowed };
}

/** What is known of when a document was read. */
interface ReadState {
  document_read_at: string | null;
  document_fresh_until: string | null;
}

/**
 * An application as its document describes it now: read again when it is no longer fresh, a minute apart at most by
 * all processes together. Trouble of its makers' server changes nothing for some days; what they say themselves
 * counts at once. `unreadable` when there is no document to go by.
 */
export async function findCurrentApp(
  core: Services,
  clientId: string,
): Promise<OAuthApp | 'unreadable' | undefined> {
  const app = await findOAuthApp(core.sql, clientId);
  if (app?.kind !== 'metadata_document') return app;
  const now = core.clock.now();
  const state = await readStateOf(core.sql, clientId);
  if ((state.document_fresh_until ?? '') > now.toISOString()) return app;
  if (await takeTurn(core.sql, clientId, now)) await renew(core, app, now);
  const { document_read_at: readAt } = await readStateOf(core.sql, clientId);
  const keptSince = later(now, -metadataDocumentKeptDays * 24 * 3600);
  return readAt !== null && readAt > keptSince ? findOAuthApp(core.sql, clientId) : 'unreadable';
}

async function readStateOf(sql: Statements, clientId: string): Promise<ReadState> {
  const [state] = await sql<ReadState[]>`
    select document_read_at, document_fresh_until from oauth_apps where client_id = ${clientId}`;
  return state ?? { document_read_at: null, document_fresh_until: null };
}

/**
 * Whether it is this request that reads the document; the failure that is noted ahead is taken back by a success.
 */
async function takeTurn(sql: Statements, clientId: string, now: Date): Promise<boolean> {
  const [turn] = await sql`
    update oauth_apps set document_failed_at = ${now.toISOString()}
    where client_id = ${clientId}
      and (document_fresh_until is null or document_fresh_until <= ${now.toISOString()})
      and (document_failed_at is null
        or document_failed_at <= ${later(now, -metadataDocumentTriedEverySeconds)}) returning 1`;
  return turn !== undefined;
}

async function renew(core: Services, { client_id: address }: OAuthApp, now: Date): Promise<void> {
  try {
    const document = await readAppDocument(core, address);
    await saveDocumentedApp(core.sql, { address, document, now });
  } catch (error) {
    if (!(error instanceof DocumentRefusal)) throw error;
    core.log.warn({ client_id: address, error }, 'The document of an application could not be read');
    if (!error.isFinal) return;
    await core.sql`
      update oauth_apps set document_read_at = null, document_fresh_until = null where client_id = ${address}`;
  }
}
