/** Files of tests of core and API that say nothing of a database whose records are distributed, and why. */
export const leftOutFiles: Readonly<Record<string, string>> = {
  'apps/api/test/statements.long.test.ts':
    'A change is two statements there, so that all budgets are others.',
  'apps/api/test/event-feed/moved-database.test.ts': 'An era of events ends there with the first server.',
  'packages/core/test/database/migration-compatibility.test.ts':
    'It holds the judge of migrations to what one server notes of them, in transactions that are undone.',
  'packages/core/test/database/migration-locks.long.test.ts':
    'It holds the judge of migrations to the locks and reads that one server notes.',
  'packages/core/test/deliveries/idle-plans.long.test.ts':
    'It leases by itself as on one server; how it is there, all other tests of deliveries say.',
  'packages/core/test/deliveries/lease.test.ts': 'The same.',
  'packages/core/test/event-feed/feed-plan.long.test.ts': 'It looks at the plan that one server makes.',
  'packages/core/test/moving/move-organization.long.test.ts':
    'No organization moves from or to an installation whose records are distributed; that it is refused, citus.real.ts says.',
  'packages/core/test/moving/moved-away.long.test.ts': 'The same.',
  'packages/core/test/paging/expected-rows.long.test.ts': 'It looks at the plan that one server makes.',
  'packages/core/test/paging/hundred-thousand-plans.long.test.ts':
    'It looks at the plan that one server makes.',
  'packages/core/test/paging/search-plans.test.ts': 'It looks at the plan that one server makes.',
  'packages/core/test/paging/search-everything-plans.long.test.ts':
    'It looks at the plan that one server makes.',
};

/** Single ones, without the rules that their titles name. */
export const leftOutTests: Readonly<Record<string, string>> = {
  'a backup is of one moment, whatever is written while it is made':
    'It is not there: docs/citus.md has all processes stopped before a backup.',
  'a full disk under the log does not keep deliveries back, and the log catches up':
    'It fills the disk by a trigger, and distributed tables have none.',
  'a server without TLS is told where the address asks for it, and does where it only prefers it':
    'Citus gives each of its servers a certificate.',
  'change, event and delivery become visible in one moment':
    'Two servers commit one after the other; what tells of events waits for both (docs/decisions/0059).',
  'one delivery alone takes three statements: its lease with all that it sends, its result, its entry in the log':
    'A lease looks up there what is due, and its events, before.',
  'the log tells also what was held and delivered later':
    'It writes an event and its delivery by one statement of its own.',
  'over any 60 seconds never more than max_per_minute attempts begin, retries and two workers included, and nearly as many':
    'It leases by itself as on one server; how it is there, all other tests of deliveries say.',
  'the baseline makes of an empty database what the migrations make of it one after the other':
    'It is about a database without Citus, and some builds of PostgreSQL 15 note another number with each column (pg_attver).',
};
