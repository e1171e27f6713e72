import { allScopes } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { startDealkeep } from '@dealkeep/testing';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { connectAssistant } from '../assistant.ts';
import { jobs, setUp } from './jobs.ts';
import { questions } from './questions.ts';

const clock = { now: () => new Date('2026-10-01T08:00:00.000Z') };

const dealkeep = await startDealkeep({ clock, worker: false });
const { key, slug, createKey } = await dealkeep.createOrganization();
await seedDemo(dealkeep.core, slug, 'small');
const salesperson = await connectAssistant(dealkeep.baseUrl, key);
const { token } = await createKey({ scopes: allScopes });
const api = dealkeep.as(token);
const office = await connectAssistant(dealkeep.baseUrl, token, { path: '/mcp/all' });
await setUp(api);

const asked = [
  ...questions.map((question) => ({ ...question, most: 6, assistant: salesperson })),
  ...jobs.map((question) => ({ ...question, most: 3, assistant: office })),
];

describe('ten tasks of a salesperson within six calls, ten of a small business within three, none with an id from outside', () => {
  const transcripts: string[] = [];

  test.each(asked)('$asks', async ({ asks, calls, answers, ends, most, assistant }) => {
    expect(calls.length).toBeLessThanOrEqual(most);
    const read: string[] = [];
    const transcript = [`## ${asks}`];
    for (const { tool, arguments: given } of calls) {
      const sent = typeof given === 'function' ? given(read) : given;
      const text = textOf(await assistant.callTool({ name: tool, arguments: sent }));
      read.push(text);
      transcript.push(
        block(`${tool} ${JSON.stringify(sent, null, 1).replaceAll(/\n */g, ' ')}`),
        block(text),
      );
    }
    for (const pattern of answers) expect(read.join('\n')).toMatch(pattern);
    await ends?.(api);
    transcripts.push(transcript.join('\n\n'));
  });

  test('docs/ai-questions.md shows them as they went', async () => {
    expect(transcripts).toHaveLength(20);
    const page = [introduction, ...transcripts].join('\n\n');
    await expect(`${withoutChance(page)}\n`).toMatchFileSnapshot('../../../../docs/ai-questions.md');
  });
});

const introduction = `# Twenty questions

What a small business asks, what an assistant calls for it, and what it reads. A test makes these calls, to a Dealkeep with the
demo organization on 1 October 2026, and writes this page; identifiers are replaced.`;

const textOf = ({ content }: CallToolResult): string =>
  content.map((each) => (each.type === 'text' ? each.text : '')).join('\n');

const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

/**
 * Ids, what the organization is called and what is sealed are others in every run: each is given a number or left
 * out.
 */
function withoutChance(page: string): string {
  const known = new Map<string, number>();
  const numbered = (found: string): number => {
    if (!known.has(found)) known.set(found, known.size + 1);
    return known.get(found) ?? 0;
  };
  return page
    .replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      (id) => `01a1b2c3-0000-7000-8000-${String(numbered(id)).padStart(12, '0')}`,
    )
    .replaceAll(slug, 'test')
    .replaceAll(/((?:confirmation|cursor)"?: ")[^"]+/g, '$1…')
    .replaceAll(/(<\/?data) [\w-]+>/g, '$1 …>');
}
