/** Files of tests of core and API that say nothing of a database whose records are distributed, and why. */
export const leftOutFiles: Readonly<Record<string, string>> = {
  'apps/api/test/statements.test.ts': 'A change is two statements there, so that all budgets are others.',
  'apps/api/test/event-feed/moved-database.test.ts': 'An era of events ends there with the first server.',
  'packages/core/test/deliveries/lease.test.ts':
    'It leases by itself as on one server; how it is there, all other tests of deliveries say.',
  'packages/core/test/erasing/columns.test.ts': 'It asks the schema, in which Citus has views of its own.',
  'packages/core/test/event-feed/feed-plan.test.ts': 'It looks at the plan that one server makes.',
  'packages/core/test/paging/hundred-thousand-plans.test.ts': 'It looks at the plan that one server makes.',
  'packages/core/test/paging/search-everything-plans.test.ts': 'It looks at the plan that one server makes.',
};

/** Single ones. */
export const leftOutTests: Readonly<Record<string, string>> = {
  'a contact that is being added to the company is waited for, and erased, too':
    'It asks the first server who waits, and the locks of records are on another.',
  'while the first one runs the second is told so, whatever it sends': 'The same.',
};
