import {
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  type Reference,
  references,
} from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { type Argument, argumentsOf } from '../src/arguments/argument.ts';
import { isChosen, operationNamed, valueAt } from '../src/arguments/candidates.ts';
import { toolNameOf } from '../src/tools/tool-name.ts';
import { refusalIn } from './assistant.ts';
import { atWork } from './at-work.ts';

const dealkeep = await sharedDealkeep();
const { api, call } = await atWork({ demo: true });

test('a record is named by its name, its ID or an object, wherever a tool asks for one (rule assistants 9)', async () => {
  const { api, call } = await atWork();
  const { data: tatra } = await api.post('/companies', { name: 'Tatra', email: 'info@tatra.example' });
  const { data: peter } = await api.post('/contacts', { company_id: tatra.id, name: 'Peter Novák' });
  for (const given of ['Tatra', { id: tatra.id }, { name: 'tatra' }]) {
    const listed = await call('list_contacts', { company: given });
    expect(listed.structuredContent, JSON.stringify(given)).toMatchObject({ items: [{ id: peter.id }] });
    const lead = await call('create_lead', {
      name: JSON.stringify(given),
      company: given,
      contact: 'Peter Novak',
    });
    expect(lead.structuredContent, JSON.stringify(given)).toMatchObject({
      company: { id: tatra.id },
      contact: { id: peter.id },
    });
  }
  const numbered = await api.post('/companies', { name: 'Numbered', registration_id: '36123456' });
  const read = await call('get_company', { company: 36_123_456 });
  expect(read.structuredContent).toMatchObject({ id: numbered.data.id });
});

test('a lead takes a company and a contact that exist, or describes new ones (rule assistants 9)', async () => {
  const { api, call } = await atWork();
  const { data: tatra } = await api.post('/companies', { name: 'Tatra' });
  const made = await call('create_lead', {
    name: 'Ten',
    company: { name: 'Zvon s.r.o.' },
    contact: { name: 'Eva' },
  });
  expect(made.structuredContent).toMatchObject({
    company: { name: 'Zvon s.r.o.' },
    contact: { name: 'Eva' },
  });
  const both = await call('create_lead', { company: { name: 'Zvon s.r.o.' }, company_id: tatra.id });
  expect(refusalIn(both)).toContain('Send either company or company_id, not both.');
});

/** Each list to choose from, and the arguments of tools that are chosen from it. */
const chosen = Object.entries<Reference>(references)
  .filter(([, reference]) => isChosen(reference))
  .map(([name, reference]) => {
    const takes = operationIds
      .filter((id) => operations[id].kind !== 'batch')
      .flatMap((id) =>
        argumentsOf(operations[id])
          .filter((argument) => argument.reference === name || isFilterBy(name, id, argument))
          .map((argument) => ({ tool: toolNameOf(operations[id]), argument: argument.name })),
      );
    return { name, reference, takes };
  });

function isFilterBy(name: string, id: OperationId, { facts }: Argument): boolean {
  return operations[id].method === 'GET' && !facts.isArray && facts.description?.nameOf === name;
}

test('stages, people, reasons and all else that is chosen from a list are arguments of tools', () => {
  expect(chosen.map(({ name }) => name)).toEqual(expect.arrayContaining(['stage', 'lost-reason', 'tag']));
  expect(chosen.filter(({ takes }) => takes.length === 0)).toEqual([]);
});

test.each(chosen)(
  'a name that no $name has is answered with all there are (rule assistants 11)',
  async ({ reference, takes }) => {
    const { path }: OperationDeclaration = operations[operationNamed(reference.list)];
    const { data } = (await api.get(path, { limit: 100 })).page;
    const { items } = reference;
    const listed: readonly unknown[] = data.flatMap((each) => {
      const inside = items === undefined ? each : valueAt(each, items);
      return Array.isArray(inside) ? inside : [inside];
    });
    const names = listed.map((each) => valueAt(each, 'name'));
    expect(names.length).toBeGreaterThan(0);
    const [{ tool, argument } = { tool: '', argument: '' }] = takes;
    const refused = refusalIn(await call(tool, { [argument]: 'too expensive' }));
    expect(refused).toMatch(
      new RegExp(`${argument}: No [a-z ]+ is called "too expensive"\\. Nothing was done\\. Choose the `),
    );
    for (const name of names) expect(refused).toContain(JSON.stringify(name));
  },
);

test('what an operation says is missing or unknown is answered with what there is to choose from (rule assistants 11)', async () => {
  const { api, call, organization } = await atWork();
  const { data: reasons } = (await api.get('/lost-reasons')).page;
  const { data: lead } = await api.post('/leads', { name: 'Ten' });
  const unknown = crypto.randomUUID();
  const moved = { lead: 'Ten', stage: 'Lost', lost_reason: unknown };
  for (const { name } of reasons) {
    expect(refusalIn(await call('move_lead', moved))).toContain(`- ${JSON.stringify(name)}: `);
  }
  await dealkeep.sql`update pipelines set require_lost_reason = true where organization_id = ${organization.id}`;
  await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  const asked = refusalIn(await call('move_lead', { lead: lead.id, stage: 'Lost' }));
  expect(asked).toContain('- lost_reason: ');
  for (const { name, id } of reasons) expect(asked).toContain(`- ${JSON.stringify(name)}: ${id}`);
});
