import { placeOfTokenAnswer } from '../../accounts/oauth/tokens.ts';
import { placeOfStoredAnswer } from '../../change/idempotency/stored-answer.ts';
import { placeOfSecret, type SealedColumn, sealedColumns } from '../../delivering/webhooks/signing-keys.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { boundMarker, type SealedPlace, type Secrets } from '../../foundations/secrets.ts';

/** One encrypted value and where it stands. */
export interface EncryptedValue {
  place: SealedPlace;
  sealed: Uint8Array;
}

interface Search {
  /** Only those that do not begin so; all when absent. */
  notBeginningWith?: Buffer | undefined;
  /** Only those behind the last one of the page before. */
  after?: EncryptedValue | undefined;
  most: number;
}

/** All encrypted values of one column. */
export interface EncryptedColumn {
  /** In what is told of a rotation. */
  name: 'webhooks' | 'stored_answers' | 'token_answers';
  /** Values in the order of their keys. */
  page(sql: Statements, search: Search): Promise<EncryptedValue[]>;
  /** Writes a value over, unless somebody else has changed it meanwhile. */
  replace(sql: Statements, value: EncryptedValue, sealed: Buffer): Promise<boolean>;
}

const nobody = '00000000-0000-0000-0000-000000000000';

const beginsOtherwise = (sql: Statements, column: string, beginning: Buffer | undefined): Fragment =>
  beginning ? sql`substring(${sql(column)} from 1 for ${beginning.length}) <> ${beginning}` : sql`true`;

function webhookColumn(column: SealedColumn): EncryptedColumn {
  return {
    name: 'webhooks',
    async page(sql, { notBeginningWith, after, most }) {
      const [organization, id] = after?.place.row ?? [nobody, nobody];
      const rows = await sql<{ organization_id: string; id: string; sealed: Uint8Array }[]>`
        select organization_id, id, ${sql(column)} as sealed from webhooks
        where (organization_id, id) > (${organization ?? nobody}, ${id ?? nobody}) and ${sql(column)} is not null
          and ${beginsOtherwise(sql, column, notBeginningWith)}
        order by organization_id, id limit ${most}`;
      return rows.map(({ sealed, ...webhook }) => ({ sealed, place: placeOfSecret(webhook, column) }));
    },
    async replace(sql, { place, sealed: former }, sealed) {
      const [organization = nobody, id = nobody] = place.row;
      const { count } = await sql`
        update webhooks set ${sql(column)} = ${sealed}
        where organization_id = ${organization} and id = ${id} and ${sql(column)} = ${former}`;
      return count > 0;
    },
  };
}

const storedAnswers: EncryptedColumn = {
  name: 'stored_answers',
  async page(sql, { notBeginningWith, after, most }) {
    const [organization = nobody, credential = nobody, key = ''] = after?.place.row ?? [];
    const rows = await sql<
      { organization_id: string; credential_id: string; idempotency_key: string; answer: Uint8Array }[]
    >`
      select organization_id, credential_id, idempotency_key, answer from idempotent_answers
      where (organization_id, credential_id, idempotency_key) > (${organization}, ${credential}, ${key})
        and ${beginsOtherwise(sql, 'answer', notBeginningWith)}
      order by organization_id, credential_id, idempotency_key limit ${most}`;
    return rows.map(({ answer, ...row }) => ({
      sealed: answer,
      place: placeOfStoredAnswer(row.organization_id, row.credential_id, row.idempotency_key),
    }));
  },
  async replace(sql, { place, sealed: former }, sealed) {
    const [organization = nobody, credential = nobody, key = ''] = place.row;
    const { count } = await sql`
      update idempotent_answers set answer = ${sealed}
      where organization_id = ${organization} and credential_id = ${credential} and idempotency_key = ${key}
        and answer = ${former}`;
    return count > 0;
  },
};

const tokenAnswers: EncryptedColumn = {
  name: 'token_answers',
  async page(sql, { notBeginningWith, after, most }) {
    const [hash = ''] = after?.place.row ?? [];
    const rows = await sql<{ token_hash: Uint8Array; answer: Uint8Array }[]>`
      select token_hash, answer from oauth_refresh_tokens
      where answer is not null and token_hash > ${Buffer.from(hash, 'hex')}
        and ${beginsOtherwise(sql, 'answer', notBeginningWith)}
      order by token_hash limit ${most}`;
    return rows.map(({ token_hash, answer }) => ({
      sealed: answer,
      place: placeOfTokenAnswer(Buffer.from(token_hash)),
    }));
  },
  async replace(sql, { place, sealed: former }, sealed) {
    const [hash = ''] = place.row;
    const { count } = await sql`
      update oauth_refresh_tokens set answer = ${sealed}
      where token_hash = ${Buffer.from(hash, 'hex')} and answer = ${former}`;
    return count > 0;
  },
};

/**
 * Everything that is encrypted under SECRETS_KEY. A new column of this kind belongs here, or its key is never
 * retired.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  ...sealedColumns.map(webhookColumn),
  tokenAnswers,
  storedAnswers,
];

const valuesAtOnce = 500;

/** Every value that does not begin as given, page by page. */
export async function* encryptedValues(
  sql: Statements,
  column: EncryptedColumn,
  notBeginningWith?: Buffer,
): AsyncGenerator<EncryptedValue> {
  let after: EncryptedValue | undefined;
  for (;;) {
    const page = await column.page(sql, { notBeginningWith, after, most: valuesAtOnce });
    yield* page;
    after = page.at(-1);
    if (page.length < valuesAtOnce) return;
  }
}

/** Whether anything is left that is not bound to its place. */
export async function holdsFormerForm(sql: Statements): Promise<boolean> {
  for (const column of encryptedColumns) {
    const [value] = await column.page(sql, { notBeginningWith: boundMarker, most: 1 });
    if (value) return true;
  }
  return false;
}

/**
 * Under which of the keys the secrets of webhooks were encrypted, how many there are, and how many none of the keys
 * opens.
 */
export async function keysOfWebhooks(
  sql: Statements,
  secrets: Secrets,
): Promise<{ fingerprints: Set<string>; values: number; unreadable: number }> {
  const fingerprints = new Set<string>();
  let values = 0;
  let unreadable = 0;
  for (const column of encryptedColumns.filter(({ name }) => name === 'webhooks')) {
    for await (const { place, sealed } of encryptedValues(sql, column)) {
      values += 1;
      const fingerprint = secrets.fingerprintOf(sealed, place);
      if (fingerprint === undefined) unreadable += 1;
      else fingerprints.add(fingerprint);
    }
  }
  return { fingerprints, values, unreadable };
}
