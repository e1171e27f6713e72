import postgres from 'postgres';
import type { Statements } from '../database/connect.ts';

const invalidParameterValue = '22023';

/**
 * Whether the database knows a zone that JavaScript knows: their tables come from different places, and a statement
 * over all organizations fails when one of them is in a zone that the database does not know.
 */
export async function isKnownTimeZone(sql: Statements, name: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${name}`;
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === invalidParameterValue) return false;
    throw error;
  }
}
