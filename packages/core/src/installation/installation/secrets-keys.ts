import type { Statements, Transaction } from '../../foundations/database/connect.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import { holdsFormerForm, keysOfWebhooks } from './encrypted-values.ts';

/** The fingerprints of the keys that something in the database may be encrypted under. */
export async function knownKeys(sql: Statements): Promise<string[]> {
  const rows = await sql<{ fingerprint: string }[]>`select fingerprint from secrets_keys order by noted_at`;
  return rows.map(({ fingerprint }) => fingerprint);
}

/** Whether nothing needs a key yet, so that any will do. */
export async function needsNoKeyYet(sql: Statements): Promise<boolean> {
  const [row] = await sql<{ none: boolean }[]>`
    select not exists (select from secrets_keys) and not exists (select from webhooks) as none`;
  return row?.none === true;
}

/**
 * Notes the key that encrypts from now on. Answers the keys as this database needs them read. Raises
 * WrongInstallation without one that something is encrypted under: its webhooks could not be delivered.
 */
export async function claimKeysIn(tx: Transaction, secrets: Secrets): Promise<Secrets> {
  const known = await knownKeys(tx);
  if (known.length === 0) await adoptKeys(tx, secrets);
  requireKeys(known, secrets);
  await noteKey(tx, secrets.fingerprint);
  const [row] = await tx<
    { bound: boolean }[]
  >`select secrets_bound_at is not null as bound from installation`;
  return row?.bound ? secrets.withoutFormer() : secrets;
}

/** Raises WrongInstallation without one of the keys that the database knows. */
export function requireKeys(known: readonly string[], { fingerprints }: Secrets): void {
  const missing = known.filter((fingerprint) => !fingerprints.includes(fingerprint));
  if (missing.length === 0) return;
  throw new WrongInstallation(
    'SECRETS_KEY',
    `lacks a key that this database is encrypted with (fingerprint ${missing.join(', ')}; here is ${fingerprints.join(', ')}): put it back, behind a comma`,
    ['rotate', 'forget'],
  );
}

/** For the first start on an empty database, or on one that did not remember its keys yet. */
async function adoptKeys(tx: Transaction, secrets: Secrets): Promise<void> {
  const { fingerprints, values, unreadable } = await keysOfWebhooks(tx, secrets);
  if (unreadable > 0) {
    throw new WrongInstallation(
      'SECRETS_KEY',
      `lacks the key of ${unreadable} of the ${values} secrets of webhooks in this database: add it behind a comma`,
      ['forget'],
    );
  }
  for (const fingerprint of fingerprints) await noteKey(tx, fingerprint);
  if (!(await holdsFormerForm(tx))) await noteBound(tx);
}

export async function noteKey(sql: Statements, fingerprint: string): Promise<void> {
  await sql`insert into secrets_keys (fingerprint) values (${fingerprint}) on conflict do nothing`;
}

/** From the next start on, nothing is read that is not bound to its place. */
export async function noteBound(sql: Statements): Promise<void> {
  await sql`update installation set secrets_bound_at = now() where secrets_bound_at is null`;
}

/** What is done about a key that is missing: another one takes its place before it goes, or it is given up. */
export type KeyWay = 'rotate' | 'forget';

/** What a start is refused with that is configured for another database than this one. */
export class WrongInstallation extends Error {
  override readonly name = 'WrongInstallation';
  /** The variable that is to be mended. */
  readonly variable: 'ENVIRONMENT' | 'SECRETS_KEY';
  /** What it takes here, without its name. */
  readonly sentence: string;
  /** Whoever asks for them knows the words: a command line names its commands. */
  readonly ways: readonly KeyWay[];

  constructor(variable: 'ENVIRONMENT' | 'SECRETS_KEY', sentence: string, ways: readonly KeyWay[] = []) {
    super(`${variable} ${sentence}`);
    this.variable = variable;
    this.sentence = sentence;
    this.ways = ways;
  }
}
