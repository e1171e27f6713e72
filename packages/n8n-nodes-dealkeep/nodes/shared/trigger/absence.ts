import { isRecord } from '../record.ts';

type StaticData = { [key: string]: unknown };

/** The time in which a workflow was not published, as its trigger remembers it. */
export interface Absence {
  /** ISO 8601. */
  readonly since: string;
  /** Events that the workflow had subscribed to. */
  readonly events: readonly string[];
  /** How far catching up has come: for each event ISO 8601 of the last that was brought, by the API's clock. */
  readonly reached: Readonly<Record<string, string>>;
  /** How the next publication went: undefined until n8n has asked for the subscription. */
  readonly outcome?: 'subscribed' | 'refused' | undefined;
}

export function readAbsence(staticData: StaticData): Absence | undefined {
  const stored = staticData['absence'];
  if (!isRecord(stored) || typeof stored['since'] !== 'string') return undefined;
  const { since, events, reached, outcome } = stored;
  return {
    since,
    events: Array.isArray(events) ? events.map(String) : [],
    reached: Object.fromEntries(
      Object.entries(isRecord(reached) ? reached : {}).map(([type, at]) => [type, String(at)]),
    ),
    ...(outcome === 'subscribed' || outcome === 'refused' ? { outcome } : {}),
  };
}

export function writeAbsence(staticData: StaticData, absence: Absence | undefined): void {
  if (absence === undefined) delete staticData['absence'];
  else staticData['absence'] = { ...absence, events: [...absence.events], reached: { ...absence.reached } };
}

/** Forgets how a publication went, so that the next one is waited for, and begins where this one did. */
export const reopenAbsence = (staticData: StaticData): void => change(staticData, { outcome: undefined });

/** Lets the part of the trigger that catches up know whether there is a subscription now. */
export const endAbsence = (staticData: StaticData, outcome: 'subscribed' | 'refused'): void =>
  change(staticData, { outcome });

function change(staticData: StaticData, changed: Partial<Absence>): void {
  const absence = readAbsence(staticData);
  if (absence) writeAbsence(staticData, { ...absence, ...changed });
}
