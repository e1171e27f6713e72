import type { Settled, VerifiedBackup } from '@dealkeep/core/installation';

/** What a backup holds. */
export interface BackupReport {
  made_at: string;
  version: string;
  environment: string | null;
  organizations: number;
  /** By table; those without any are left out. */
  rows: Readonly<Record<string, number>>;
  /** Bytes before they were compressed. */
  bytes: number;
  /** Fingerprints of the keys that it is encrypted with. */
  secrets_keys: readonly string[];
}

export function reportOf({ header, trailer }: VerifiedBackup): BackupReport {
  const { made_at, version, environment, secrets_keys } = header;
  const { sections } = trailer;
  const counts = sections.map(({ name, rows }) => [name, rows] as const);
  return {
    made_at,
    version,
    environment,
    organizations: new Map(counts).get('organizations') ?? 0,
    rows: Object.fromEntries(counts.filter(([, rows]) => rows > 0)),
    bytes: sections.reduce((sum, { bytes }) => sum + bytes, 0),
    secrets_keys,
  };
}

const many = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

/** Of what people ask for first, and of everything. */
function holds({ organizations, rows }: BackupReport): string {
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const known: Readonly<Record<string, readonly [string, string]>> = {
    leads: ['lead', 'leads'],
    companies: ['company', 'companies'],
    contacts: ['contact', 'contacts'],
    invoices: ['invoice', 'invoices'],
    events: ['event', 'events'],
  };
  const some = Object.entries(known).flatMap(([table, [one, more]]) =>
    rows[table] === undefined ? [] : [many(rows[table], one, more)],
  );
  return `${[many(organizations, 'organization'), ...some].join(', ')}; ${many(all, 'row')} in all`;
}

const origin = ({ environment, made_at, version }: BackupReport): string =>
  `${environment ?? 'not yet started'}, of ${made_at}, by Dealkeep ${version}`;

export const showBackup = (report: BackupReport, file: string): string =>
  [
    `Backed up (${origin(report)}): ${holds(report)}.`,
    ...(file === '-' ? [] : [`It is whole: ${file}. \`dealkeep verify ${file}\` reads it again.`]),
    'It holds neither SECRETS_KEY nor anything else of the environment: keep these apart from it.',
  ].join('\n');

export function showVerified(
  report: BackupReport & { secrets_key_fits: boolean | null; missing_keys: readonly string[] },
): string {
  const { secrets_key_fits: fits, missing_keys: missing } = report;
  const key =
    fits === null
      ? `SECRETS_KEY: not checked, there is none here (it needs ${report.secrets_keys.join(', ')}).`
      : fits
        ? 'SECRETS_KEY fits.'
        : `SECRETS_KEY lacks a key that it is encrypted with (fingerprint ${missing.join(', ')}): keep the one of the original.`;
  return [`The backup is whole (${origin(report)}): ${holds(report)}.`, key].join('\n');
}

/** Commands stand one below the other, with what they are for beside them. */
function steps(lines: readonly (readonly [command: string, why: string])[]): string[] {
  const width = Math.max(...lines.map(([command]) => command.length));
  return lines.map(([command, why]) => `  ${command.padEnd(width)}  ${why}`);
}

export function showRestore(result: BackupReport & Settled & { migrated: number }): string {
  return [
    `Restored (${origin(result)}): ${holds(result)}.`,
    ...(result.migrated > 0 ? [`Then brought up to date by ${many(result.migrated, 'migration')}.`] : []),
    ...whatWasSettled(result, result.made_at),
  ].join('\n');
}

export const showRecovered = (result: Settled & { moment: string }): string =>
  [`Settled as of ${result.moment}.`, ...whatWasSettled(result, result.moment)].join('\n');

/** What became of everything that may have changed since a moment, and what comes next. */
function whatWasSettled(settled: Settled, moment: string): string[] {
  const { waiting, keys, webhooks, sessions_ended, invitations_ended, imports_under_way } = settled;
  const living = `${many(keys.keys, 'API key')} and ${many(keys.connections, 'connected app')}`;
  const manual = `${many(webhooks.count, 'webhook')} made in the console`;
  const restHooks = many(keys.rest_hooks, 'REST hook');
  return [
    '',
    `Nothing is sent, neither webhooks nor mails, until you say so: ${many(waiting.deliveries, 'delivery', 'deliveries')}, ${many(waiting.held_events, 'held event')} and ${many(waiting.mails, 'mail')} wait. What was sent since then is not known.`,
    `Everybody is signed out (${many(sessions_ended, 'session')}), and signs in with the password of that time.`,
    `Ended: the links of ${many(invitations_ended, 'invitation')}, which may have been accepted or withdrawn since. Owners send them again, or withdraw them, in the console.`,
    'As at that time: people and roles, also people who were deactivated since, and roles that allow less since. Look through them before anybody signs in.',
    keys.state === 'end'
      ? `Ended: ${living}, with ${restHooks}. Make new keys, connect apps and turn Zaps and workflows on again.`
      : `As at that time: ${living}, also those that were ended since. End them with \`dealkeep keys revoke ID\`, and in the console. An app that has got new tokens since then, as each in use does within the hour, is refused: connect it again.`,
    webhooks.state === 'disable'
      ? `Disabled: ${manual}, and what waited for them is dropped. Owners enable them again in the console.`
      : `As at that time: ${manual}${keys.state === 'keep' ? ` and ${restHooks}` : ''}, also those that were disabled or removed since.`,
    'What was erased since then for a person is there again: erase it again.',
    ...(imports_under_way > 0
      ? [`${many(imports_under_way, 'import')} that were under way go on when a worker starts.`]
      : []),
    '',
    'Next:',
    ...steps([
      ['dealkeep doctor', 'is all as it should be?'],
      ['dealkeep queue status', 'what waits'],
      [`dealkeep queue discard --all --before ${moment}`, 'if what waits was sent since'],
      ['dealkeep queue resume --all', 'sends again'],
    ]),
  ];
}

/** `finished` where a former command had moved everything, and was ended before it could say so. */
export type MoveResult = { key_file: string | null } & ((BackupReport & Settled) | { finished: true });

export function showMove(result: MoveResult): string {
  const { key_file: file } = result;
  return [
    'finished' in result
      ? 'Finished: a former command had moved everything, and was ended before it could say so.'
      : `Moved (${origin(result)}): ${holds(result)}.`,
    'Keys, webhooks, sessions and what waits to be sent go on there. The former database is as it was, but its queue is paused.',
    '',
    'Next, in the environment of every process:',
    ...steps([
      ['DATABASE_URL', 'the address that you gave'],
      ['SECRETS_KEY', file === null ? 'the one that is set here' : `what stands in ${file}`],
    ]),
  ].join('\n');
}
