import { type FieldProblem, oauthScopes } from '@dealkeep/contract';
import { auditedActor } from '../../change/audit/audit-log.ts';
import { textOrder } from '../../change/paging/list-page.ts';
import { writes } from '../../change/verb/verb.ts';
import type { Statements } from '../../foundations/database/connect.ts';
import { invalidFields, notFound } from '../../foundations/problem.ts';
import { insertOAuthApp, isOpenTo, type OAuthAppKind, openTo } from './apps.ts';
import { endConnection } from './connections.ts';
import { readNewAppDocument, saveDocumentedApp } from './documented-apps.ts';
import { redirectUriProblem } from './redirect-uris.ts';

/** An application without a secret that people of an organization may connect. */
export interface ConnectableAssistant {
  client_id: string;
  kind: OAuthAppKind;
  name: string;
  /** Where people come back to; of one by its document, as it said when it was read last. */
  redirect_uris: string[];
  /** Who of the organization registered it, and when; null where the operator alone did. */
  registered: { by: string; at: string } | null;
  /** The operator registered it for everybody. */
  everywhere: boolean;
}

/** The assistants that people of an organization may connect, by name. */
export const listAssistants = (sql: Statements, organization: string): Promise<ConnectableAssistant[]> => sql<
  ConnectableAssistant[]
>`
  select a.client_id, a.name, a.redirect_uris, a.everywhere,
         case when a.client_id like 'https://%' then 'metadata_document' else 'public' end as kind,
         case when r.client_id is null then null
              else json_build_object('by', m.name, 'at', to_char(r.created_at at time zone 'UTC',
                                                                 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as registered
  from oauth_apps a
  left join oauth_app_organizations r on r.client_id = a.client_id and r.organization_id = ${organization}
  left join memberships m on m.organization_id = r.organization_id and m.id = r.user_id
  where a.secret_hash is null and (a.everywhere or r.client_id is not null)
  order by a.name ${sql.unsafe(textOrder)}, a.client_id`;

/** Registers an assistant by its document for the organization of an owner. Raises VALIDATION_ERROR. */
export const registerAssistant = writes('assistants.register', {
  beforeTransaction: async ({ core }, { body: { metadata_url }, isWhole }) =>
    isWhole && metadata_url !== undefined ? readNewAppDocument(core, metadata_url) : undefined,
  async run({ core, sql, organization, now, actor }, { body: { metadata_url: address }, learned: document }) {
    await saveDocumentedApp(sql, { address, document, now: core.clock.now() });
    await openTo(sql, address, { organization, user: actor.user.id, now });
    return { client_id: address, name: document.name };
  },
});

/** Adds an assistant that describes itself nowhere, for the organization of an owner. Raises VALIDATION_ERROR. */
export const addAssistant = writes('assistants.add', {
  async check(_, { body }) {
    const problems = uriProblems(body.redirect_uris ?? []);
    if (problems.length > 0) throw invalidFields(problems);
  },
  async run({ sql, organization, now, actor }, { body }) {
    const clientId = await insertOAuthApp(sql, {
      name: body.name,
      redirectUris: [...new Set(body.redirect_uris)],
      scopes: oauthScopes,
      everywhere: false,
      created: now,
    });
    await openTo(sql, clientId, { organization, user: actor.user.id, now });
    return { client_id: clientId };
  },
});

const uriProblems = (uris: readonly (string | undefined)[]): FieldProblem[] =>
  uris.flatMap((uri, index) =>
    uri !== undefined && redirectUriProblem(uri) !== undefined
      ? [{ path: `redirect_uris.${index}`, key: 'assistant.redirect_uri' }]
      : [],
  );

/**
 * Takes an assistant back that an owner registered: its connections end and codes that wait count no more, unless it
 * is there for everybody. Raises NOT_FOUND.
 */
export const removeAssistant = writes(
  'assistants.remove',
  async (context, { body: { client_id: clientId } }) => {
    const { sql, organization, now, describe, actor } = context;
    const [removed] = await sql`
      delete from oauth_app_organizations
      where organization_id = ${organization} and client_id = ${clientId} returning 1`;
    if (!removed) throw notFound();
    const [app] = await sql<{ name: string }[]>`select name from oauth_apps where client_id = ${clientId}`;
    describe({ name: app?.name ?? null });
    if (await isOpenTo(sql, { client_id: clientId }, organization)) return undefined;
    await sql`
      delete from oauth_codes
      where organization_id = ${organization} and client_id = ${clientId} and redeemed_at is null`;
    const connections = await sql<{ id: string }[]>`
      select id from oauth_connections
      where organization_id = ${organization} and client_id = ${clientId} and ended_at is null
      order by id for update`;
    for (const { id } of connections)
      await endConnection(sql, { organization, id }, 'disconnected', { now, by: auditedActor(actor) });
    return undefined;
  },
);
