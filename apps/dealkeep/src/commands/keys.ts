import { createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from '@dealkeep/core/accounts';
import { type Command, Option } from 'commander';
import { answers } from './operator.ts';

interface CreateOptions {
  organization: string;
  user?: string;
  name: string;
  preset?: 'automation';
  scopes?: string;
  legacy?: true;
  expiresAt?: string;
}

export function keyCommands(program: Command): void {
  const group = program.command('keys').description('create, list and revoke API keys');
  const create = group.command('create');
  const grantOf = (options: CreateOptions): NewApiKey['grant'] =>
    chosenGrant(options) ??
    create.error('error: say what the key may do: --preset automation, --scopes LIST or --legacy');
  // Checked before the database is opened, as every wrong usage is.
  create.hook('preAction', () => void grantOf(create.opts()));
  answers<CreateOptions>(
    create
      .description('make a key; its token is shown only now')
      .requiredOption('--organization <slug>')
      .option('--user <email>', 'owner of the key; the oldest owner of the organization when absent')
      .requiredOption('--name <name>', 'what the key is for')
      .addOption(
        new Option('--preset <preset>', 'every scope')
          .choices(['automation'])
          .conflicts(['scopes', 'legacy']),
      )
      .addOption(new Option('--scopes <list>', 'scopes separated by commas').conflicts(['preset', 'legacy']))
      .addOption(new Option('--legacy', 'a legacy key: reads everything').conflicts(['preset', 'scopes']))
      .option('--expires-at <moment>', 'such as 2027-01-31T00:00:00Z'),
    (operator, options) => createApiKey(operator, { ...options, grant: grantOf(options) }),
  );
  answers<{ organization: string }>(
    group.command('list').description('the keys of an organization').requiredOption('--organization <slug>'),
    ({ sql }, { organization }) => listApiKeys(sql, organization),
  );
  answers(
    group.command('revoke').argument('<id>').description('end a key and its REST hooks'),
    (operator, _options, id = '') => revokeApiKey(operator, id),
  );
}

function chosenGrant({ preset, scopes, legacy }: CreateOptions): NewApiKey['grant'] | undefined {
  if (preset) return { preset };
  if (scopes !== undefined) return { scopes: scopes.split(',').map((scope) => scope.trim()) };
  return legacy ? { legacy } : undefined;
}
