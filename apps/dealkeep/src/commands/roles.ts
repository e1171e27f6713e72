import { createRole } from '@dealkeep/core';
import type { Command } from 'commander';
import { answers } from './operator.ts';

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
