import { createUser, updateUser } from '@dealkeep/core';
import { type Command, Option } from 'commander';
import { answers } from './operator.ts';

export function userCommands(program: Command): void {
  const group = program.command('users').description('create and change the people of an organization');
  answers<{ organization: string; name: string; email: string; password: string; role: string }>(
    group
      .command('create')
      .description('add a person')
      .requiredOption('--organization <slug>')
      .requiredOption('--name <name>')
      .requiredOption('--email <address>')
      .requiredOption('--password <password>', 'at least 10 characters')
      .requiredOption('--role <role>', 'owner, or the name of a role'),
    (operator, options) => createUser(operator, options),
  );
  answers<{ active?: 'true' | 'false'; role?: string; password?: string }>(
    group
      .command('update')
      .argument('<email>')
      .description('change a person')
      .addOption(new Option('--active <state>').choices(['true', 'false']))
      .option('--role <role>', 'owner, or the name of a role')
      .option('--password <password>', 'at least 10 characters'),
    (operator, { active, role, password }, email = '') =>
      updateUser(operator, email, {
        active: active === undefined ? undefined : active === 'true',
        role,
        password,
      }),
  );
}
