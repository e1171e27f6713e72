// The arrows of the house: apps -> core -> contract; client -> contract; zapier, activepieces -> connectors -> contract;
// connectors and all of the platforms -> the client's transport, which knows no package of ours.
const only = (from, to, comment) => ({
  name: `only-${from.replaceAll('/', '-')}`,
  comment,
  severity: 'error',
  from: { path: `^${from}/src` },
  to: { path: '^(packages|apps)/', pathNot: [`^${from}/`, ...to.map((each) => `^${each}/`)] },
});

const clientTransport = 'packages/client/src/transport';

const apart = 'Folders of pages do not know each other: what two of them need stands below them.';

// The rooms of the console: each stands on those that are named after it.
const consoleRoom = (from, to, comment) => ({
  name: `console-${from}`,
  comment,
  severity: 'error',
  from: { path: `^apps/console/src/${from}/` },
  to: { path: '^apps/console/src/[^/]+/', pathNot: `^apps/console/src/(${[from, ...to].join('|')})/` },
});

// The floors of core, from the lowest to the highest; each folder on a floor is a room.
const floors = require('./packages/core/floors.json').map(({ floor }) => floor);
const coreFloors = floors.slice(0, -1).map((floor, index) => ({
  name: `core-floor-${floor}`,
  comment: 'A floor stands on those below it.',
  severity: 'error',
  from: { path: `^packages/core/src/${floor}/` },
  to: { path: `^packages/core/src/(?:[^/]+$|(?:${floors.slice(index + 1).join('|')})/)` },
}));

module.exports = {
  forbidden: [
    ...coreFloors,
    {
      name: 'core-top',
      comment: 'What all floors are put together by, and what is handed out, stands above them.',
      severity: 'error',
      from: { path: `^packages/core/src/${floors.at(-1)}/` },
      to: { path: '^packages/core/src/[^/]+$' },
    },
    {
      name: 'core-floors-only',
      comment: 'Every file of core stands on a floor, but what puts them together.',
      severity: 'error',
      from: {
        path: '^packages/core/src/',
        pathNot: `^packages/core/src/(?:[^/]+$|(?:${floors.join('|')})/)`,
      },
      to: {},
    },
    only('packages/contract', [], 'The contract knows nobody.'),
    only('packages/core', ['packages/contract'], 'Core knows the contract and nothing above it.'),
    only('packages/client', ['packages/contract'], 'The client knows the contract.'),
    only(
      'packages/connectors',
      ['packages/contract', clientTransport],
      'What the connectors share knows the contract and how a request is sent, and no platform.',
    ),
    only(
      'packages/zapier',
      ['packages/contract', 'packages/connectors', clientTransport],
      'The Zapier integration knows the contract, how a request is sent, and what the connectors share.',
    ),
    only(
      'packages/activepieces',
      ['packages/contract', 'packages/connectors', clientTransport],
      'The piece knows the contract, how a request is sent, and what the connectors share.',
    ),
    {
      name: 'only-packages-n8n-nodes-dealkeep',
      comment:
        'The n8n node ships alone: how a request is sent is bundled into it, and what else it needs is generated.',
      severity: 'error',
      from: { path: '^packages/n8n-nodes-dealkeep/(nodes|credentials)/' },
      to: { path: '^(packages|apps)/', pathNot: ['^packages/n8n-nodes-dealkeep/', `^${clientTransport}/`] },
    },
    {
      name: 'client-transport-stands-alone',
      comment:
        'Every connector holds it: it may not bring the contract, zod or the rest of the client along.',
      severity: 'error',
      from: { path: `^${clientTransport}/` },
      to: { path: '.', pathNot: [`^${clientTransport}/`, '^node_modules/standardwebhooks/'] },
    },
    only('packages/embedded-postgres', [], 'The embedded PostgreSQL knows nobody.'),
    only('packages/tooling', [], 'The tool cache knows nobody.'),
    only('apps/api', ['packages/contract', 'packages/core'], 'The API is a face of core.'),
    only('apps/mcp', ['packages/contract', 'packages/core'], 'What assistants see is a face of core.'),
    only('apps/console', ['packages/contract', 'packages/core'], 'The console is a face of core.'),
    only('apps/worker', ['packages/contract', 'packages/core'], 'The worker is a face of core.'),
    consoleRoom('values', [], 'How values are written and read stands below everything else.'),
    consoleRoom('frame', ['values', 'auth'], 'What is around a page knows no page.'),
    consoleRoom('auth', ['values', 'frame'], 'Who comes in, and what they may do, knows no page.'),
    consoleRoom('forms', ['values', 'frame', 'auth'], 'A form knows no page that shows it.'),
    consoleRoom('records', ['values', 'frame', 'auth', 'forms'], apart),
    consoleRoom('integrations', ['values', 'frame', 'auth', 'forms'], apart),
    consoleRoom('settings', ['values', 'frame', 'auth', 'forms'], apart),
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/(src|nodes|credentials)/', pathNot: '^packages/testing/' },
      to: { path: ['^packages/testing/', '/test/'] },
    },
    {
      name: 'only-through-exports',
      comment: "Another package's inside is its own business.",
      severity: 'error',
      from: { path: '^((packages|apps)/[^/]+)/' },
      to: {
        path: '^(packages|apps)/[^/]+/',
        pathNot: [
          '^$1/',
          '^(packages|apps)/[^/]+/src/index\\.ts$',
          // An export of its own: what every client of the API does alike.
          `^${clientTransport}/index\\.ts$`,
          // Each floor of core hands out its own.
          '^packages/core/src/[^/]+/index\\.ts$',
          // An export of its own: few tests need a browser, and its driver is slow to load.
          '^packages/testing/src/chromium\\.ts$',
          '^packages/testing/src/(business|citus|statements)/index\\.ts$',
          // Set-ups and settings of test runs may import nothing that imports vitest.
          '^packages/testing/src/(certificates|test-settings)\\.ts$',
          // A table that pure tests read without loading a server.
          '^packages/testing/src/written-values\\.ts$',
        ],
      },
    },
    {
      name: 'no-circles',
      comment: 'Not of types alone either: a file is read after those that it stands on.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(n8n-workflow|@n8n/node-cli|@activepieces/)' },
    },
    {
      name: 'no-undeclared',
      comment: 'What a package imports stands in its own package.json.',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A customer's program, and what test:resource adds, find what they import only where they are put.
    exclude: {
      path: ['/dist/', '/build/', '^apps/api/generated-client/', '^apps/dealkeep/walks/resource/added/'],
    },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
