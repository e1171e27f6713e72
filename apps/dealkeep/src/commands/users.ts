import { createRole, createUser, updateUser } from '@dealkeep/core/accounts';
import { type Command, Option } from 'commander';
import { surroundingsOf } from '../surroundings.ts';
import { answers } from './operator.ts';
import {
  givenPassword,
  neededPassword,
  type PasswordOptions,
  terminalOf,
  withPassword,
} from './password-option.ts';

export function userCommands(program: Command): void {
  const group = program.command('users').description('create and change the people of an organization');
  const create = withPassword(group.command('create'));
  answers<
    PasswordOptions & {
      organization: string;
      name: string;
      email: string;
      role: string;
      language?: 'en' | 'sk';
    }
  >(
    create
      .description('add a person; asks for the password unless an option says it')
      .requiredOption('--organization <slug>')
      .requiredOption('--name <name>')
      .requiredOption('--email <address>')
      .requiredOption('--role <role>', 'owner, or the name of a role')
      .addOption(languageOption()),
    async (operator, options) => {
      const surroundings = surroundingsOf(create);
      const password = await neededPassword(options, terminalOf(surroundings));
      if (password === undefined) create.error(nowhereToAsk);
      const { id, email, known } = await createUser(operator, { ...options, password });
      if (known) {
        surroundings.stderr.write(`${email} signs in here already: the password stays as it is.\n`);
      }
      return { id, email };
    },
  );
  const update = withPassword(group.command('update'));
  answers<
    PasswordOptions & {
      organization?: string;
      active?: 'true' | 'false';
      role?: string;
      language?: 'en' | 'sk';
      email?: string;
      verified?: 'true' | 'false';
    }
  >(
    update
      .argument('<email>')
      .description('change a person: password and address everywhere, the rest in one organization')
      .option('--organization <slug>', 'needed where the address belongs to several')
      .addOption(new Option('--active <state>').choices(['true', 'false']))
      .option('--role <role>', 'owner, or the name of a role')
      .option('--email <address>', 'another address to sign in with')
      .addOption(
        new Option('--verified <state>', 'whether you know the address to be theirs').choices([
          'true',
          'false',
        ]),
      )
      .addOption(languageOption()),
    async (operator, { active, verified, email: newEmail, ...changes }, email = '') =>
      updateUser(operator, email, {
        ...changes,
        newEmail,
        active: isTrue(active),
        verified: isTrue(verified),
        password: await givenPassword(changes, terminalOf(surroundingsOf(update))),
      }),
  );
}

const nowhereToAsk =
  'error: say the password by --password-file FILE, or - for stdin: there is no terminal to ask at';

const isTrue = (state: 'true' | 'false' | undefined): boolean | undefined =>
  state === undefined ? undefined : state === 'true';

const languageOption = (): Option =>
  new Option('--language <language>', 'of the mails to them').choices(['en', 'sk']);

export function roleCommands(program: Command): void {
  const group = program.command('roles').description('create roles');
  answers<{ organization: string; name: string; permissions: string }>(
    group
      .command('create')
      .description('make a role of permissions')
      .requiredOption('--organization <slug>')
      .requiredOption('--name <name>')
      .requiredOption('--permissions <list>', 'such as leads.view=all,leads.edit=assigned'),
    (operator, options) => createRole(operator, options),
  );
}
