import { OperatorError, systemClock } from '@dealkeep/core/foundations';
import {
  type ForgottenOrganization,
  forgetOrganization,
  type MovedAway,
  type MovedOrganization,
  moveOrganization,
  type OrganizationMovePreview,
  previewOrganizationMove,
  type TakenBackOrganization,
  takeBackOrganization,
} from '@dealkeep/core/installation';
import type { Command } from 'commander';
import { requireDirect } from '../check-pooler.ts';
import { printResult } from '../print-result.ts';
import { surroundingsOf } from '../surroundings.ts';
import { version } from '../version.ts';
import { onDatabase } from './operator.ts';

export function moveOrganizationCommands(group: Command): void {
  moveCommand(group);
  forgetCommand(group);
  takeBackCommand(group);
}

interface MoveChoices {
  to: string;
  newAddress?: string;
  dryRun?: boolean;
  json?: boolean;
}

function moveCommand(group: Command): void {
  group
    .command('move')
    .argument('<slug>')
    .description('move one organization with everything into another installation, while the others go on')
    .requiredOption('--to <address>', 'postgres://user:password@host:5432/database of the other installation')
    .option(
      '--new-address <url>',
      'where people and programs find it from then on, such as https://two.example.com',
    )
    .option('--dry-run', 'say what would be moved and what stands in the way, and change nothing')
    .option('--json', 'print only the result, as JSON')
    .addHelpText('after', '\nEnded half-way, it goes on when it is run again. docs/scaling.md says more.')
    .action(async (slug: string, { to, newAddress, dryRun, json }: MoveChoices, command: Command) => {
      const surroundings = surroundingsOf(command);
      await onDatabase(surroundings, async ({ ownerUrl, directUrl }) => {
        const from = ownerUrl ?? directUrl;
        await requireDirect(from, 'a move');
        await requireDirect(to, 'a move');
        const move = {
          from,
          to,
          slug,
          newAddress: originOf(newAddress),
          version: version(),
          clock: systemClock,
        };
        if (dryRun)
          printResult(surroundings, await previewOrganizationMove(move), json === true, showPreview);
        else printResult(surroundings, await moveOrganization(move), json === true, showMoved);
      });
    });
}

function forgetCommand(group: Command): void {
  const command = group
    .command('forget')
    .argument('<slug>')
    .description('remove for good what is left here of an organization that has moved');
  movedAwayCommand(command, {
    work: 'a removal',
    run: forgetOrganization,
    show: showForgotten,
  });
}

function takeBackCommand(group: Command): void {
  const command = group
    .command('take-back')
    .argument('<slug>')
    .description(
      'have an organization that moved go on here as it was then: the other installation has lost it',
    )
    .addHelpText(
      'after',
      '\nWhat happened in the other installation is not here. docs/scaling.md says more.',
    );
  movedAwayCommand(command, {
    work: 'taking an organization back',
    run: (moved) => takeBackOrganization(moved, { clock: systemClock }),
    show: showTakenBack,
  });
}

interface MovedAwayChoices {
  to?: string;
  unchecked?: boolean;
  json?: boolean;
}

/** A command that looks in the other installation first: it is given that one's address, or told not to look. */
function movedAwayCommand<Result>(
  command: Command,
  { work, run, show }: { work: string; run(moved: MovedAway): Promise<Result>; show(result: Result): string },
): void {
  command
    .option('--to <address>', 'postgres://… of the database that it moved to, as the move was told')
    .option('--unchecked', 'without looking there, when that installation is gone')
    .option('--json', 'print only the result, as JSON')
    .action(async (slug: string, { to, unchecked, json }: MovedAwayChoices) => {
      if ((to === undefined) === (unchecked === undefined)) {
        command.error('error: say where it moved by --to, or --unchecked, and not both');
      }
      const surroundings = surroundingsOf(command);
      await onDatabase(surroundings, async ({ ownerUrl, directUrl }) => {
        const here = ownerUrl ?? directUrl;
        await requireDirect(here, work);
        if (to !== undefined) await requireDirect(to, work);
        const result = await run({ here, there: to, slug });
        printResult(surroundings, result, json === true, show);
      });
    });
}

/** Without a path: what people are told to open. */
function originOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return url.origin;
  throw new OperatorError('takes an address such as https://two.example.com', { field: 'new_address' });
}

const sumOf = (rows: Readonly<Record<string, number>>): string =>
  Object.values(rows)
    .reduce((sum, each) => sum + each, 0)
    .toLocaleString('en');

const listOf = (rows: Readonly<Record<string, number>>): string[] =>
  Object.entries(rows).map(([name, count]) => `  ${name}: ${count.toLocaleString('en')}`);

const showPreview = ({ organization, rows, storage_bytes }: OrganizationMovePreview): string =>
  [
    `Would move ${organization}: ${sumOf(rows)} rows${storage_bytes === null ? '' : `, ${Math.ceil(storage_bytes / 1e6)} MB`}. Nothing stands in the way.`,
    ...listOf(rows),
  ].join('\n');

function showMoved({ organization, rows, people, moved_to, paused_ms }: MovedOrganization): string {
  const apart = people?.apart ?? 0;
  return [
    rows === undefined
      ? `${organization} had moved already.`
      : `Moved ${organization}: ${sumOf(rows)} rows. It was paused for ${((paused_ms ?? 0) / 1000).toFixed(1)} s.`,
    ...(apart === 0
      ? []
      : [
          `${apart} of its people sign in there with an address that another account there has, too: both go on, each with its own password.`,
        ]),
    moved_to === null
      ? 'Here it answers that it has moved. Have its address lead to the other installation now.'
      : `Here it answers that it is at ${moved_to} now.`,
    `Its rows stay here until \`dealkeep organizations forget ${organization} --to …\` removes them.`,
  ].join('\n');
}

const showForgotten = ({ organization, rows, people }: ForgottenOrganization): string =>
  `Forgot ${organization}: removed ${sumOf(rows)} rows and ${people} people who belong to no other organization.`;

const showTakenBack = ({ organization, moved_at }: TakenBackOrganization): string =>
  `Took ${organization} back: it goes on here as it was when it moved (${moved_at}). What waited for its webhooks then is not sent.`;
