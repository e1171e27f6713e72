import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messages } from '@dealkeep/contract';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { expect, inject, test } from 'vitest';
import { FlowTrigger, payloadOf, runAction } from './engine.ts';
import { piece } from './platform.ts';
import { newWorld } from './world.ts';

const page = await readFile(join(import.meta.dirname, '../../../../docs/activepieces.md'), 'utf8');

test('every message that the page explains is one that people can meet', async () => {
  const [, table = ''] = page.split('## Troubleshooting by message');
  const told = [...table.matchAll(/^\| `([^`]+)`(?:, `([^`]+)`)?/gm)].flatMap(([, ...each]) =>
    each.filter(Boolean),
  );
  expect(told.length).toBeGreaterThan(8);
  const piece = await readFile(join(inject('pieceFolder'), 'src', 'index.js'), 'utf8');
  const ofApi = Object.values(messages).map(({ en }) => en);
  const said = [piece, ...ofApi].join('\n');
  // What stands for a value, and labels, differ from case to case.
  const missing = told.filter((message) =>
    message
      .replace(/^(Company|Stage|Custom Fields|Service Address): /, '')
      .split('…')
      .map((part) => part.trim())
      .some((part) => !said.includes(part)),
  );
  expect(missing).toEqual([]);
});

test('every step that the page names is one of the piece', () => {
  const names = [...page.matchAll(/\*\*((?:Lead|Create|Any|Search|Custom API) ?[A-Z][\w ]*)\*\*/g)].map(
    ([, name = '']) => name,
  );
  const shown = [...Object.values(piece.actions()), ...Object.values(piece.triggers())].map(
    ({ displayName }) => displayName,
  );
  expect(names).toEqual(expect.arrayContaining(['Lead Won', 'Create Task', 'Custom API Call']));
  expect(names.filter((name) => name !== 'Create Connection' && !shown.includes(name))).toEqual([]);
});

test('the first flow of the page makes a task for a lead that is won', async () => {
  const dealkeep = await startDealkeep();
  const { api, auth } = await newWorld(dealkeep);
  const receiver = await startHookReceiver();
  const lead = (await api.post('/leads', { company: { name: 'Tatra' } })).data;
  const trigger = new FlowTrigger('lead_won', auth, receiver.url);
  await trigger.enable();
  const { stages } = await defaultPipeline(api);
  await api.post(`/leads/${lead.id}/move`, { stage_id: stages['Won'] });
  const [delivery] = await receiver.received(1);
  if (!delivery) throw new Error('Nothing was delivered.');
  const [won] = await trigger.run(payloadOf(delivery));
  const task = await runAction('create_task', auth, {
    title: `Send the contract to ${Object(won?.['company']).name}`,
    lead_id: won?.['id'],
    due_date: '2031-05-05',
  });
  expect(task).toMatchObject({
    title: 'Send the contract to Tatra',
    due_date: '2031-05-05',
    lead: { id: lead.id },
  });
});
