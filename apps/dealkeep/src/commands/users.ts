import { createUser, updateUser } from '@dealkeep/core';
import { type Command, Option } from 'commander';
import { answers } from './operator.ts';

export function userCommands(program: Command): void {
  const group = program.command('users').description('create and change the people of an organization');
  answers<{
    organization: string;
    name: string;
    email: string;
    password: string;
    role: string;
    language?: 'en' | 'sk';
  }>(
    group
      .command('create')
      .description('add a person')
      .requiredOption('--organization <slug>')
      .requiredOption('--name <name>')
      .requiredOption('--email <address>')
      .requiredOption('--password <password>', 'at least 10 characters')
      .requiredOption('--role <role>', 'owner, or the name of a role')
      .addOption(languageOption()),
    (operator, options) => createUser(operator, options),
  );
  answers<{ active?: 'true' | 'false'; role?: string; password?: string; language?: 'en' | 'sk' }>(
    group
      .command('update')
      .argument('<email>')
      .description('change a person')
      .addOption(new Option('--active <state>').choices(['true', 'false']))
      .option('--role <role>', 'owner, or the name of a role')
      .option('--password <password>', 'at least 10 characters')
      .addOption(languageOption()),
    (operator, { active, role, password, language }, email = '') =>
      updateUser(operator, email, {
        active: active === undefined ? undefined : active === 'true',
        role,
        password,
        language,
      }),
  );
}

const languageOption = (): Option =>
  new Option('--language <language>', 'of the mails to them').choices(['en', 'sk']);
