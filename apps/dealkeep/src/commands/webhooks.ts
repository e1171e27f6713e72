import {
  inspectEvent,
  inspectWebhook,
  listWebhooksOf,
  replayWebhook,
  type Webhook,
} from '@dealkeep/core/delivering';
import type { Command } from 'commander';
import { table } from '../print-result.ts';
import { answers } from './operator.ts';
import { type Inspected, showDeliveries } from './show-deliveries.ts';

export function webhookCommands(program: Command): void {
  const group = program.command('webhooks').description('see what became of deliveries, and send them again');
  answers<{ organization: string }, Webhook[]>(
    group
      .command('list')
      .description('the webhooks of an organization and how they do')
      .requiredOption('--organization <slug>'),
    (operator, { organization }) => listWebhooksOf(operator, organization),
    (webhooks) =>
      table(
        webhooks.map(({ id, name, kind, state, failing_since, held_events, events, target_url }) => ({
          id,
          name,
          kind,
          state,
          failing_since,
          held_events,
          events,
          target_url,
        })),
      ),
  );
  answers<object, Inspected[]>(
    group
      .command('inspect')
      .argument('<id>', 'of a webhook: its last deliveries; of an event (evt_…): every attempt and the body')
      .description('show deliveries'),
    ({ sql }, _options, id = '') => (id.startsWith('evt_') ? inspectEvent(sql, id) : inspectWebhook(sql, id)),
    showDeliveries,
  );
  answers<{ webhook: string; since?: string; failed?: true }>(
    group
      .command('replay')
      .description('send deliveries of a webhook again, with the same body and webhook-id')
      .requiredOption('--webhook <id>')
      .option('--since <moment>', 'only those tried since, such as 2027-01-31T00:00:00Z')
      .option('--failed', 'only those whose last attempt failed'),
    (operator, options) => replayWebhook(operator, options),
  );
}
