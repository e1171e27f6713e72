import { createOrganization, listOrganizations, updateOrganization } from '@dealkeep/core/accounts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { moveOrganizationCommands } from './move-organization.ts';
import { answers } from './operator.ts';

export function organizationCommands(program: Command): void {
  const group = program.command('organizations').description('create, change and list organizations');
  answers<{ name: string; slug: string; country?: string; currency?: string; timeZone?: string }>(
    group
      .command('create')
      .description('make an organization with a default pipeline, lost reasons and lead origins')
      .requiredOption('--name <name>', 'name of the business')
      .requiredOption('--slug <slug>', 'short name for addresses and commands')
      .option('--country <code>', 'two letters, SK when absent')
      .option('--currency <code>', 'three letters, EUR when absent')
      .option('--time-zone <zone>', 'Europe/Bratislava when absent'),
    (operator, options) => createOrganization(operator, options),
  );
  answers<{
    name?: string;
    country?: string;
    currency?: string;
    timeZone?: string;
    subscription?: 'active' | 'lapsed';
    requestsPerMinute?: number;
    orgRequestsPerMinute?: number;
    maxWebhooks?: number;
    maxKeys?: number;
    maxStorageMb?: number;
  }>(
    group
      .command('update')
      .argument('<slug>')
      .description('change an organization, its subscription or its limits')
      .option('--name <name>', 'name of the business')
      .option('--country <code>', 'two letters')
      .option('--currency <code>', 'three letters')
      .option('--time-zone <zone>', 'such as Europe/Bratislava')
      .addOption(new Option('--subscription <state>').choices(['active', 'lapsed']))
      .option('--requests-per-minute <n>', 'for one credential', wholeNumber)
      .option('--org-requests-per-minute <n>', 'for the organization', wholeNumber)
      .option('--max-webhooks <n>', 'webhooks at most', wholeNumber)
      .option('--max-keys <n>', 'API keys at most', wholeNumber)
      .option('--max-storage-mb <n>', 'millions of bytes that its rows take at most', wholeNumber),
    ({ sql }, options, slug = '') => updateOrganization(sql, slug, options),
  );
  moveOrganizationCommands(group);
  answers(group.command('list').description('all organizations'), ({ sql }) => listOrganizations(sql));
}

const largest = 1_000_000;

/** Parses an option that takes a whole number from 1. */
function wholeNumber(text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= largest) return number;
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${largest}.`);
}
