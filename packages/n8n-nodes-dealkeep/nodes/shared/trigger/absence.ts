import { isRecord } from '../record.ts';

type StaticData = { [key: string]: unknown };

/** The time in which a workflow was not published, as its trigger remembers it. */
export interface Absence {
  /** ISO 8601. */
  readonly since: string;
  /** Events that the workflow had subscribed to. */
  readonly events: readonly string[];
  /** How the next publication went: undefined until n8n has asked for the subscription. */
  readonly outcome?: 'subscribed' | 'refused';
}

export function readAbsence(staticData: StaticData): Absence | undefined {
  const stored = staticData['absence'];
  if (!isRecord(stored) || typeof stored['since'] !== 'string') return undefined;
  const { since, events, outcome } = stored;
  return {
    since,
    events: Array.isArray(events) ? events.map(String) : [],
    ...(outcome === 'subscribed' || outcome === 'refused' ? { outcome } : {}),
  };
}

export function writeAbsence(staticData: StaticData, absence: Absence | undefined): void {
  if (absence === undefined) delete staticData['absence'];
  else staticData['absence'] = { ...absence, events: [...absence.events] };
}

/** Forgets how a publication went, so that the next one is waited for, and begins where this one did. */
export function reopenAbsence(staticData: StaticData): void {
  const absence = readAbsence(staticData);
  if (absence) writeAbsence(staticData, { since: absence.since, events: absence.events });
}

/** Lets the part of the trigger that catches up know whether there is a subscription now. */
export function endAbsence(staticData: StaticData, outcome: 'subscribed' | 'refused'): void {
  const absence = readAbsence(staticData);
  if (absence) writeAbsence(staticData, { ...absence, outcome });
}
