// The form of a backup: one line of JSON that everybody can read (`head -n 1`), then, compressed by zstd, frames: of
// each section its beginning and its data, and at the end a trailer, without which a backup is not whole.
import * as z from 'zod';
import { OperatorError, type OperatorHelp } from '../../foundations/operator.ts';

/** Of the form, not of Dealkeep; one that a program does not know, it does not read. */
export const backupFormat = 1;

/** What a backup begins with. */
export const BackupHeader = z.object({
  dealkeep_backup: z.literal(backupFormat),
  /** The version of Dealkeep that made it. */
  version: z.string(),
  /** The moment of which it is. */
  made_at: z.iso.datetime(),
  environment: z.enum(['live', 'test']).nullable(),
  /** Those that the database had, in their order. */
  migrations: z.array(z.string()).min(1),
  /** Fingerprints of the keys that something in it is encrypted under; they tell nothing of the keys. */
  secrets_keys: z.array(z.string()),
});
export type BackupHeader = Readonly<z.infer<typeof BackupHeader>>;

/** Rows of a table, as `COPY` writes them; or mails that wait, each a line of JSON. */
export const BackupSection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()).min(1).readonly() }),
  z.object({ kind: z.literal('mails'), name: z.literal('mails') }),
]);
export type BackupSection = Readonly<z.infer<typeof BackupSection>>;

/** What is needed to see that nothing is missing or changed. */
export const SectionSum = z.object({
  name: z.string(),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
});
export type SectionSum = Readonly<z.infer<typeof SectionSum>>;

/** What a backup ends with. */
export const BackupTrailer = z.object({
  /** Of the first line. */
  header_sha256: z.string(),
  sections: z.array(SectionSum),
  /** Where sequences stood. */
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
});
export type BackupTrailer = Readonly<z.infer<typeof BackupTrailer>>;

/** Kinds of frames, by the byte that each begins with. */
export const frameKinds = { section: 0x53, data: 0x44, trailer: 0x54 } as const;

/** A frame is its kind, its length and so many bytes. */
export const frameHeadBytes = 5;
/** A reader refuses a longer frame, so that a damaged length takes no memory. */
export const longestFrame = 1024 * 1024;
/** The first line is no longer. */
export const longestHeader = 256 * 1024;

/** A backup that cannot be used; the sentence says why, and what to do. */
export const unusable = (reason: string, help?: OperatorHelp): OperatorError =>
  new OperatorError(`The backup ${reason}`, help && { help });

export const cutBackup = (): OperatorError =>
  unusable('is cut: its end is missing. Use another one, or copy this one again from where it was made');

export const damagedBackup = (what: string): OperatorError =>
  unusable(`is damaged (${what}). Use another one, or copy this one again from where it was made`);
