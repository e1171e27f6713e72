import { nextNumber } from '../document-numbers/next-number.ts';
import type { Changing } from '../verb/verb.ts';

/** `O-2026-0042`: counted without gaps for each organization and its own year. Ask late, because others wait. */
export async function nextOrderNumber(context: Changing, timeZone: string): Promise<string> {
  const year = Number(
    new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(new Date(context.now)),
  );
  const number = await nextNumber(context, 'order', year);
  return `O-${year}-${String(number).padStart(4, '0')}`;
}
