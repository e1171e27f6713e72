import { createHash } from 'node:crypto';

/** Stands for what a form showed, where its record has no moment of its last change: another tab may have changed it since. */
export const versionOf = (shown: unknown): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
