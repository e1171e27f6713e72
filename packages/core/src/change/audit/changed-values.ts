import { isDeepStrictEqual } from 'node:util';
import type { AuditDetail, AuditValue } from './audit-log.ts';

/** Stands for a secret, which is not told. */
export const hidden = '…';

type Changes = Readonly<Record<string, readonly [before: AuditValue, after: AuditValue]>>;

/** From what to what the given values of `after` change, as far as they differ; of an address its host alone. */
export const changedValues = (before: object, after: object): NonNullable<AuditDetail['changes']> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) =>
      value === undefined ? [] : Object.entries(differences(name, Reflect.get(before, name) ?? null, value)),
    ),
  );

/** Of an object each of its parts by itself: `permissions.leads.view`. */
function differences(name: string, before: unknown, after: unknown): Changes {
  if (isDeepStrictEqual(before, after)) return {};
  if (!isRecord(before) && !isRecord(after))
    return { [name]: [auditValueOf(name, before), auditValueOf(name, after)] };
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return Object.assign(
    {},
    ...keys.map((key) => differences(`${name}.${key}`, was[key] ?? null, is[key] ?? null)),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const longestValue = 200;
const mostValues = 50;

function auditValueOf(name: string, value: unknown): AuditValue {
  if (Array.isArray(value)) return value.slice(0, mostValues).map((each) => String(auditValueOf(name, each)));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = /_ur[il]s?$/.test(name) && URL.canParse(text) ? new URL(text).host : text;
  return shown.slice(0, longestValue).toWellFormed();
}
