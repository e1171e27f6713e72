import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { seedDemo } from '@dealkeep/core/installation';
import { eventually, freePort, startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type Block, blocksOf, page } from './guide-blocks.ts';
import { pasted, sendPasted } from './pasted-command.ts';
import { ShownAnswers } from './shown-answer.ts';

/** Runs a program of a page, as a reader does in a folder that has the client. */
function run(program: string, environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  return child.stdout;
}

/** `HTTP/1.1 404 Not Found`, headers, and a body. */
function responseIn(shown: string) {
  const [head = '', body = ''] = shown.split('\n\n', 2);
  const [line, ...headers] = head.split('\n');
  const pairs = headers.map((each) => each.split(': ', 2) as [string, string]);
  return { line, headers: Object.fromEntries(pairs), body: JSON.parse(body) };
}

test('the examples of the guide do what it says, one after another, in the organization of a first start', async () => {
  const guide = await page('api.md');
  const dealkeep = await startDealkeep({ allowedTargets: 'localhost' });
  const { key, slug } = await dealkeep.createOrganization({ usualRateLimits: true });
  await seedDemo(dealkeep.core, slug, 'small');
  const blocks = blocksOf(guide);
  const [first] = blocks;
  const [baseUrl = ''] = /http\S+/.exec(first?.text ?? '') ?? [];
  const answers = new ShownAnswers();
  const port = Number(await freePort());
  const own = (command: string) => command.replaceAll('localhost:4000', `localhost:${port}`);
  const send = (command: string) => {
    const written = answers.filledIn(own(command)).replace(/^export DEALKEEP_KEY=.*$/m, '');
    const parts = pasted(written, { BASE_URL: baseUrl, DEALKEEP_KEY: key });
    return sendPasted(parts, [new URL(baseUrl).origin, dealkeep.origin]);
  };

  /** Sends a command and compares what comes with what is shown below it. */
  const compare = async (command: string, shown: Block | undefined) => {
    const { status, statusText, headers, body } = await send(command);
    const expected = shown?.language === 'http' ? responseIn(shown.text) : undefined;
    expect(`${status} ${statusText}`, `${command}${JSON.stringify(body)}`).toMatch(
      expected ? (expected.line?.replace('HTTP/1.1 ', '') ?? '') : /^2/,
    );
    const named = Object.keys(expected?.headers ?? {}).map((name) => [name, headers.get(name)]);
    if (expected) answers.compare(expected.headers, Object.fromEntries(named));
    if (expected) answers.compare(expected.body, body);
    if (shown?.language === 'json') answers.compare(JSON.parse(shown.text), body);
    return body;
  };

  let received = () => '';
  const ran = { sh: 0, js: 0 };
  for (const [at, { language, text: example }] of blocks.entries()) {
    const shown = blocks[at + 1];
    if (language === 'js') {
      expect(shown?.language).toBe('text');
      const said = await text(run(example, { BASE_URL: dealkeep.baseUrl, DEALKEEP_KEY: key }));
      expect(said).toBe(shown?.text);
      ran.js += 1;
    }
    if (language !== 'sh') continue;
    ran.sh += 1;
    if (example.includes('/deliveries')) {
      await eventually(() => expect(received()).toMatch(/^lead\.updated [0-9a-f-]{36}$/m));
      // The log is written once the receiver has answered.
      await eventually(() => compare(example, shown));
      continue;
    }
    const body = await compare(example, shown);
    if (example.includes('"target_url"')) received = await startReceiver(port, body.data.secret);
  }
  // None stands outside of the blocks that were found.
  expect(ran).toEqual({ sh: guide.match(/^curl /gm)?.length, js: guide.match(/^import /gm)?.length });

  // "… and the same answer comes, and no second lead."
  const make = blocks.find(({ text }) => text.includes('Idempotency-Key'))?.text ?? '';
  expect((await send(make)).headers.get('idempotent-replayed')).toBe('true');
  expect((await dealkeep.as(key).get('/leads', { q: 'Fleet of 20 bikes' })).page.data).toHaveLength(1);
});

/** Starts the receiver of the page about webhooks; answers what it has said since. */
async function startReceiver(port: number, secret: string): Promise<() => string> {
  const program = blocksOf(await page('webhooks.md')).find(({ language }) => language === 'js')?.text ?? '';
  const output = run(program.replace('4000', String(port)), { DEALKEEP_WEBHOOK_SECRET: secret });
  let said = '';
  output.on('data', (bytes) => {
    said += bytes;
  });
  const stranger = await eventually(() => fetch(`http://localhost:${port}/`, { method: 'POST', body: '{}' }));
  expect(stranger.status).toBe(401);
  return () => said;
}
