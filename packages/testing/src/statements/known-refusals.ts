import type { Refusal } from './judge-statement.ts';

/** What a file's statements do although a database of several servers cannot run them. */
export interface KnownRefusal {
  readonly source: string;
  readonly why: readonly Refusal[];
  /** What they are for, so that whoever writes them anew knows what must stay. */
  readonly because: string;
}

/** May only shrink: one that no statement needs any more is refused, too. */
export const knownRefusals: readonly KnownRefusal[] = [
  {
    source: 'packages/core/src/audit/own-account.ts',
    why: ['several organizations', 'another table’s organization'],
    because: 'The organization of the entry is that of each membership that is found.',
  },
  {
    source: 'packages/core/src/backup/requirements.ts',
    why: ['several organizations'],
    because: 'Whether a database is empty is asked of one that is not distributed.',
  },
  {
    source: 'packages/core/src/clients/write.ts',
    why: ['another table’s organization'],
    because: 'A reference is checked by the row that it was found with.',
  },
  {
    source: 'packages/core/src/contacts/write.ts',
    why: ['another table’s organization'],
    because: 'A reference is checked by the row that it was found with.',
  },
  {
    source: 'packages/core/src/deliveries/log/logged-attempts.ts',
    why: ['several organizations'],
    because: 'Attempts of several organizations are logged at once.',
  },
  {
    source: 'packages/core/src/deliveries/queue/lease.ts',
    why: ['another table’s organization', 'control table beside records', 'query without columns'],
    because: 'A lease takes what is due together with its events.',
  },
  {
    source: 'packages/core/src/delivery-log/inspect-deliveries.ts',
    why: ['several organizations', 'query without columns', 'control table beside records'],
    because: 'The log shows what is due beside what was tried.',
  },
  {
    source: 'packages/core/src/delivery-log/resend-delivery.ts',
    why: ['control table beside records', 'writes on two servers'],
    because: 'The log shows what is due beside what was tried.',
  },
  {
    source: 'packages/core/src/delivery-log/send-again.ts',
    why: ['control table beside records', 'query without columns', 'another table’s organization'],
    because: 'The log shows what is due beside what was tried.',
  },
  {
    source: 'packages/core/src/demo/made-up.ts',
    why: ['another table’s organization', 'control table beside records'],
    because: 'Demo data are made of those before, by the clock of their organization.',
  },
  {
    source: 'packages/core/src/demo/seed-sales.ts',
    why: ['another table’s organization', 'control table beside records'],
    because: 'Demo data are made of those before, by the clock of their organization.',
  },
  {
    source: 'packages/core/src/demo/seed-work.ts',
    why: ['another table’s organization', 'control table beside records'],
    because: 'Demo data are made of those before, by the clock of their organization.',
  },
  {
    source: 'packages/core/src/demo/seed.ts',
    why: ['another table’s organization'],
    because: 'Demo data are made of those before, by the clock of their organization.',
  },
  {
    source: 'packages/core/src/erasing/erasures.ts',
    why: ['several organizations'],
    because: 'What is to be erased is found and continued for all organizations.',
  },
  {
    source: 'packages/core/src/erasing/overwrite-records.ts',
    why: ['another table’s organization'],
    because: 'What is to be erased is found and continued for all organizations.',
  },
  {
    source: 'packages/core/src/event-feed/event-era.ts',
    why: ['several organizations', 'control table beside records'],
    because: 'The feed looks at the events of all organizations.',
  },
  {
    source: 'packages/core/src/event-feed/waiting-readers.ts',
    why: ['several organizations'],
    because: 'The feed looks at the events of all organizations.',
  },
  {
    source: 'packages/core/src/imports/import-jobs.ts',
    why: ['several organizations'],
    because: 'Imports that were left are sought among all organizations.',
  },
  {
    source: 'packages/core/src/installation/queue-status.ts',
    why: ['several organizations', 'control table beside records'],
    because: 'The command line lists webhooks of all organizations.',
  },
  {
    source: 'packages/core/src/leads/references.ts',
    why: ['another table’s organization'],
    because: 'A reference is checked by the row that it was found with.',
  },
  {
    source: 'packages/core/src/lookups/read.ts',
    why: ['control table beside records'],
    because: 'A list is read together with the version of its directory.',
  },
  {
    source: 'packages/core/src/oauth/authorization.ts',
    why: ['writes on two servers'],
    because: 'A code is given out together with its entry.',
  },
  {
    source: 'packages/core/src/paging/cursor.ts',
    why: ['several organizations'],
    because: 'A search is planned once for all organizations: which one, a part of the statement says.',
  },
  {
    source: 'packages/core/src/paging/list-page.ts',
    why: ['several organizations'],
    because: 'A sorted page is planned once for all organizations: which one, a part of the statement says.',
  },
  {
    source: 'packages/core/src/retention.ts',
    why: ['several organizations', 'query without columns', 'control table beside records'],
    because: 'What is old is removed of all organizations at once.',
  },
  {
    source: 'packages/core/src/saved-views/saved-views.ts',
    why: ['control table beside records'],
    because: 'A view is read together with whom it belongs to.',
  },
  {
    source: 'packages/core/src/search/statement.ts',
    why: ['several organizations', 'another table’s organization'],
    because: 'A search is planned once for all organizations: which one, a part of the statement says.',
  },
  {
    source: 'packages/core/src/sessions/sessions.ts',
    why: ['several organizations', 'writes on two servers'],
    because:
      'A sign-in writes the session, the membership and their entry at once, whichever organization it finds.',
  },
  {
    source: 'packages/core/src/webhooks/held-events.ts',
    why: ['another table’s organization', 'control table beside records'],
    because: 'Held events are released together with what they tell of.',
  },
  {
    source: 'packages/core/src/webhooks/operate-webhooks.ts',
    why: ['several organizations', 'query without columns', 'control table beside records'],
    because: 'The command line lists webhooks of all organizations.',
  },
];
