import postgres from 'postgres';
import { connect, type Database, type Transaction } from './connect.ts';

/** Tries: a pooler may by chance give the same server connection several times. */
const rounds = 5;

/**
 * Whether an address leads through a pooler in transaction mode (PgBouncer, Odyssey, Supavisor, …), which gives each
 * transaction another connection of the server: prepared statements are then forgotten, locks and settings of a session
 * are anybody's, and who listens hears nothing. Seen by the process of the server that answers: on a connection of
 * one's own it stays the same, and nobody else has it. Rejects when the server cannot be reached.
 */
export async function isTransactionPooler(url: string): Promise<boolean> {
  const probe = (): Database => connect(url, { connections: 1, name: 'dealkeep start', cautious: true });
  const [one, other] = [probe(), probe()];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = await processOf(one);
      const shared = await other.begin(
        async (tx) => (await processOf(tx)) === before || (await processOf(one)) !== before,
      );
      if (shared) return true;
    }
    return false;
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 1 })));
  }
}

/** Whether a pooler of any mode stands there that lets no settings through with which a connection begins. */
export async function refusesSettings(url: string): Promise<boolean> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start' });
  try {
    await sql`select 1`;
    return false;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === '08P01') return true;
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * The schema in which a database finds tables first, as long as nobody says otherwise: through a pooler in transaction
 * mode only a transaction can.
 */
export async function firstSchema(url: string): Promise<string | null> {
  const sql = connect(url, { connections: 1, name: 'dealkeep start', cautious: true });
  try {
    const [row] = await sql<{ schema: string | null }[]>`select current_schema() as schema`;
    return row?.schema ?? null;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function processOf(sql: Database | Transaction): Promise<unknown> {
  const [row] = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
  return row?.pid;
}
