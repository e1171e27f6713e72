import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, Problem } from '@dealkeep/core/foundations';
import { WrongInstallation } from '@dealkeep/core/installation';
import { expect, test } from 'vitest';
import { installationWords, refusalWords } from '../src/refusal-words.ts';

const core = join(import.meta.dirname, '../../../packages/core/src');

test.each<[OperatorError | Problem, string]>([
  [
    new OperatorError('must name at least one address', { field: 'redirect_uri' }),
    '--redirect-uri must name at least one address',
  ],
  [
    new OperatorError('must lie in the future', { field: 'expires_at' }),
    '--expires-at must lie in the future',
  ],
  [
    new OperatorError('There is no key with the id 1', { help: { shown: 'keys' } }),
    'There is no key with the id 1; `dealkeep keys list` shows all',
  ],
  [
    new OperatorError('There is no webhook with the id 1', { help: { shown: 'webhooks' } }),
    'There is no webhook with the id 1; `dealkeep webhooks list` shows those of an organization',
  ],
  [
    new OperatorError('a@b.example belongs to one, two', { help: { given: 'organization' } }),
    'a@b.example belongs to one, two; say which by --organization',
  ],
  [
    new OperatorError('The organization has no owner yet', { help: { made: 'owner' } }),
    'The organization has no owner yet; create one with `dealkeep users create … --role owner`',
  ],
  [
    new OperatorError('Somebody of acme signs in as a@b.example, which nobody has verified', {
      help: { verified: { email: 'a@b.example', organization: 'acme' } },
    }),
    'Somebody of acme signs in as a@b.example, which nobody has verified. When it is the same person, say so: `dealkeep users update a@b.example --organization acme --verified true`, and run this again',
  ],
  [
    new OperatorError('The database is of a version before backups', { help: { before: 'migrate' } }),
    'The database is of a version before backups: run `dealkeep migrate` first, or make a backup with pg_dump',
  ],
  [
    new OperatorError('The backup is encrypted with a key that SECRETS_KEY lacks', {
      help: { allowed: 'without_key' },
    }),
    'The backup is encrypted with a key that SECRETS_KEY lacks; --without-key is for one that is lost',
  ],
  [
    new OperatorError('The backup is of a live environment', { help: { allowed: 'change_environment' } }),
    'The backup is of a live environment, or say --change-environment to make it one of this environment',
  ],
  [
    new OperatorError('The other database is another one', { help: { allowed: 'unchecked' } }),
    'The other database is another one; --unchecked goes on without looking there',
  ],
  [
    new OperatorError('The other installation does not have it', { help: { taken_back: 'acme' } }),
    'The other installation does not have it; `dealkeep organizations take-back acme` has it go on here',
  ],
  [
    new Problem('fields.invalid', {}, { fields: [{ path: 'email', key: 'field.email_taken' }] }),
    '--email: Somebody of the organization has this e-mail address already.',
  ],
  [new Problem('record.not_found'), 'There is no such record in this organization.'],
])('%s is said with the words of the command line', (refusal, line) => {
  expect(refusalWords(refusal)).toBe(line);
});

test('what can be done about a missing key is said with the names of commands', () => {
  const refused = (...ways: ('rotate' | 'forget')[]) =>
    installationWords(new WrongInstallation('SECRETS_KEY', 'lacks a key: put it back', ways));
  expect(refused()).toBe('lacks a key: put it back');
  expect(refused('rotate', 'forget')).toBe(
    'lacks a key: put it back; `dealkeep secrets rotate` is how a key can go, `dealkeep secrets forget` is for one that is lost',
  );
  expect(refused('forget')).toBe(
    'lacks a key: put it back; `dealkeep secrets forget` is for one that is lost',
  );
});

test('no sentence of core names an option or a command: it knows no command line', async () => {
  const files = (await readdir(core, { recursive: true })).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(100);
  // What connections to the database are called is no command.
  const connectionName = /name: 'dealkeep [a-z ]+'/;
  const named = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(core, name), 'utf8');
      const lines = text.split('\n').filter((line) => !/^\s*(\*|\/[/*])/.test(line));
      return lines
        .filter((line) => /(^|[\s'"`])--[a-z]|\bdealkeep [a-z]/.test(line.replace(connectionName, '')))
        .map((line) => `${name}: ${line.trim()}`);
    }),
  );
  expect(named.flat().filter((line) => !line.includes('each statement by itself'))).toEqual([]);
});
