import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import {
  type EncryptedColumn,
  encryptedColumns,
  encryptedValues,
  holdsFormerForm,
  keysOfWebhooks,
} from './encrypted-values.ts';
import { lockInstallation } from './installation.ts';
import { type RunningProcess, runningProcesses } from './running-processes.ts';
import { claimKeysIn, knownKeys, noteBound, noteKey, requireKeys } from './secrets-keys.ts';

/** What a rotation has done and found. */
export interface Rotation {
  /** Fingerprint of the key that everything is encrypted with now. */
  key: string;
  encrypted_anew: { webhooks: number; stored_answers: number; token_answers: number };
  /** Values that no given key opens; they stay as they are. */
  unreadable: number;
  /** Fingerprints of keys that nothing needs any more: they can leave SECRETS_KEY. */
  retired: string[];
  /**
   * Keys that processes still encrypt with: those have to be restarted first. Where there are any, nothing is done.
   */
  in_use: KeyInUse[];
}

export interface KeyInUse {
  key: string;
  processes: Pick<RunningProcess, 'host' | 'roles'>[];
}

/** Walks over all values, at most; one leaves something while others still write under a former key. */
const mostWalks = 5;

/**
 * Encrypts everything anew that is not under the first key and bound to its place, value by value, so that it can be
 * broken off and begun again at any time, and by several at once, while everything else runs: a value that somebody
 * changes meanwhile is left to the next walk. Then forgets the keys that nothing is encrypted under and no process
 * encrypts with. Does nothing while a process runs that encrypts with another key: it may not have the first one,
 * and could read nothing any more. Raises WrongInstallation without a key that the database needs.
 */
export async function rotateSecrets(sql: Database, given: Secrets): Promise<Rotation> {
  const { secrets, writing: tooEarly } = await begin(sql, given);
  const encrypted_anew = { webhooks: 0, stored_answers: 0, token_answers: 0 };
  if (tooEarly.length > 0) {
    return {
      key: given.fingerprint,
      encrypted_anew,
      unreadable: 0,
      retired: [],
      in_use: keysInUse(tooEarly),
    };
  }
  for (let walk = 1; ; walk += 1) {
    // A process that encrypts with another key may write a value that the walk has passed already.
    const writing = await otherProcesses(sql, secrets);
    const found = { changed: 0, missed: 0, unreadable: 0 };
    for (const column of encryptedColumns) {
      const { changed, missed, unreadable } = await encryptAnew(sql, column, secrets);
      encrypted_anew[column.name] += changed;
      found.changed += changed;
      found.missed += missed;
      found.unreadable += unreadable;
    }
    const isClean = found.changed + found.missed === 0;
    if (!isClean && walk < mostWalks) continue;
    const keys = await inTransaction(sql, (tx) => retireKeys(tx, secrets, { writing, isClean }));
    return { key: secrets.fingerprint, encrypted_anew, unreadable: found.unreadable, ...keys };
  }
}

/** Notes the key that everything is to be encrypted with, unless processes still encrypt with another. */
const begin = (sql: Database, given: Secrets): Promise<{ secrets: Secrets; writing: RunningProcess[] }> =>
  inTransaction(sql, async (tx) => {
    await lockInstallation(tx);
    const writing = await otherProcesses(tx, given);
    if (writing.length === 0) return { secrets: await claimKeysIn(tx, given), writing };
    requireKeys(await knownKeys(tx), given);
    return { secrets: given, writing };
  });

function keysInUse(processes: Iterable<RunningProcess>): KeyInUse[] {
  const byKey = Map.groupBy(processes, ({ secrets_key }) => secrets_key);
  return Array.from(byKey, ([key, users]) => ({
    key,
    processes: users.map(({ host, roles }) => ({ host, roles })),
  }));
}

const otherProcesses = async (sql: Statements, { fingerprint }: Secrets): Promise<RunningProcess[]> =>
  (await runningProcesses(sql)).filter(({ secrets_key }) => secrets_key !== fingerprint);

async function encryptAnew(
  sql: Database,
  column: EncryptedColumn,
  secrets: Secrets,
): Promise<{ changed: number; missed: number; unreadable: number }> {
  const found = { changed: 0, missed: 0, unreadable: 0 };
  for await (const value of encryptedValues(sql, column, secrets.prefix)) {
    if (!secrets.canDecrypt(value.sealed, value.place)) {
      found.unreadable += 1;
      continue;
    }
    const sealed = secrets.encrypt(secrets.decrypt(value.sealed, value.place), value.place);
    if (await column.replace(sql, value, sealed)) found.changed += 1;
    else found.missed += 1;
  }
  return found;
}

async function retireKeys(
  tx: Transaction,
  secrets: Secrets,
  { writing, isClean }: { writing: readonly RunningProcess[]; isClean: boolean },
): Promise<{ retired: string[]; in_use: KeyInUse[] }> {
  await lockInstallation(tx);
  const others = (await knownKeys(tx)).filter((key) => key !== secrets.fingerprint);
  // Processes that have ended during the last walk count, too.
  const users = new Map([...writing, ...(await otherProcesses(tx, secrets))].map((each) => [each.id, each]));
  const in_use = keysInUse(users.values());
  const retired = isClean ? others.filter((key) => !in_use.some((each) => each.key === key)) : [];
  await tx`delete from secrets_keys where fingerprint = any(${retired})`;
  if (isClean && in_use.length === 0 && !(await holdsFormerForm(tx))) await noteBound(tx);
  return { retired, in_use };
}

/**
 * Goes on without keys that are lost for good: forgets all that are not among the given ones. What was encrypted
 * under them stays unreadable: its webhooks are held until they get another secret. Answers the fingerprints, and
 * how many secrets of webhooks none of the given keys opens.
 */
export const forgetLostKeys = (
  sql: Database,
  secrets: Secrets,
): Promise<{ forgotten: string[]; unreadable: number }> =>
  inTransaction(sql, async (tx) => {
    await lockInstallation(tx);
    const { fingerprints, unreadable } = await keysOfWebhooks(tx, secrets);
    const forgotten = (await knownKeys(tx)).filter((key) => !secrets.fingerprints.includes(key));
    await tx`delete from secrets_keys where fingerprint = any(${forgotten})`;
    for (const fingerprint of new Set([secrets.fingerprint, ...fingerprints])) await noteKey(tx, fingerprint);
    return { forgotten, unreadable };
  });
