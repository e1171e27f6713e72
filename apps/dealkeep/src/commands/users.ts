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
    async (operator, options) => {
      const { id, email, known } = await createUser(operator, options);
      if (known) {
        process.stderr.write(
          `${email} signs in here already: the password stays, and --password was not used.\n`,
        );
      }
      return { id, email };
    },
  );
  answers<{
    organization?: string;
    active?: 'true' | 'false';
    role?: string;
    password?: string;
    language?: 'en' | 'sk';
    email?: string;
    verified?: 'true' | 'false';
  }>(
    group
      .command('update')
      .argument('<email>')
      .description('change a person: password and address everywhere, the rest in one organization')
      .option('--organization <slug>', 'needed where the address belongs to several')
      .addOption(new Option('--active <state>').choices(['true', 'false']))
      .option('--role <role>', 'owner, or the name of a role')
      .option('--password <password>', 'at least 10 characters')
      .option('--email <address>', 'another address to sign in with')
      .addOption(
        new Option('--verified <state>', 'whether you know the address to be theirs').choices([
          'true',
          'false',
        ]),
      )
      .addOption(languageOption()),
    (operator, { active, verified, email: newEmail, ...changes }, email = '') =>
      updateUser(operator, email, {
        ...changes,
        newEmail,
        active: isTrue(active),
        verified: isTrue(verified),
      }),
  );
}

const isTrue = (state: 'true' | 'false' | undefined): boolean | undefined =>
  state === undefined ? undefined : state === 'true';

const languageOption = (): Option =>
  new Option('--language <language>', 'of the mails to them').choices(['en', 'sk']);
