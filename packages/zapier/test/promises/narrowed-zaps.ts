import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { failureOf } from '../platform/failure.ts';
import type { Output, Zap } from '../platform/zap.ts';
import { unique, type World } from './world.ts';

type Values = Readonly<Record<string, unknown>>;

/** A Zap that waits for some of what happens: the rest is not even sent to Zapier. */
export function narrowedZapPromises(world: World): void {
  const hookOf = async (zap: Zap) => (await world.hooks()).find((hook) => hook.target_url === zap.targetUrl);
  const on = async (trigger: string, input: Values): Promise<Zap> => {
    const zap = world.zap(trigger, input);
    await zap.turnOn();
    return zap;
  };
  const next = async (zap: Zap): Promise<Output[]> => zap.runs(await zap.delivery());
  const company = (more: Values = {}) => world.ask('POST', '/companies', { name: unique('Firm'), ...more });
  const moved = (lead: Output, stage: { readonly id: string }) =>
    world.ask('POST', `/leads/${lead['id']}/move`, { stage_id: stage.id });

  test('is sent nothing but changes of the fields that it watches', async () => {
    const { id } = await company();
    const watching = await on('company_updated', { fields_to_watch: ['phone'] });
    const any = await on('company_updated', {});
    await world.ask('PATCH', `/companies/${id}`, { note: 'Another note' });
    await world.ask('PATCH', `/companies/${id}`, { phone: '+421 900 000 001' });
    expect(await next(any)).toMatchObject([{ changed_fields: ['note'] }]);
    expect(await next(watching)).toMatchObject([{ changed_fields: ['phone'] }]);
    expect(await hookOf(watching)).toMatchObject({ changed_fields: ['phone'] });
    await watching.turnOff();
    await any.turnOff();
  });

  test('is sent nothing but moves to the stages that it waits for, and is told the stage before', async () => {
    const [first, here, won] = [world.stage('open'), world.stage('open', 1), world.stage('won')];
    const waiting = await on('lead_stage_changed', {
      pipeline_id: [world.pipeline.id],
      stage_id: [won.id, world.stage('lost').id],
    });
    const lead = await world.newLead({ pipeline_id: world.pipeline.id, stage_id: first.id });
    await moved(lead, here);
    await moved(lead, won);
    expect(await next(waiting)).toMatchObject([
      {
        id: lead['id'],
        stage: { id: won.id, kind: 'won' },
        previous: { stage: { id: here.id, name: here.name }, status: 'open', pipeline: { id: null } },
      },
    ]);
    expect(await hookOf(waiting)).toMatchObject({
      filters: { pipeline_id: [world.pipeline.id], stage_id: [won.id, world.stage('lost').id] },
    });
    await waiting.turnOff();
  });

  test('takes what an earlier step joined into one text', async () => {
    const [won, lost] = [world.stage('won'), world.stage('lost')];
    const waiting = await on('lead_stage_changed', { stage_id: `${won.id}, ${lost.id}` });
    expect(await hookOf(waiting)).toMatchObject({ filters: { stage_id: [won.id, lost.id] } });
    await waiting.turnOff();
  });

  test('waits for records with a tag, by its name', async () => {
    const tag = unique('VIP');
    await company({ tags: [tag] });
    const waiting = await on('company_created', { tag: [tag] });
    await company();
    const wanted = await company({ tags: [tag] });
    expect(await next(waiting)).toMatchObject([{ id: wanted['id'], tags: [tag] }]);
    await waiting.turnOff();
  });

  test('waits for orders by what is known of them, whichever of the statuses it chose', async () => {
    const order = () =>
      world.ask('POST', '/orders', { customer: {}, items: [{ sku: 'X', quantity: 1, unit_price: 5 }] });
    const waiting = await on('order_created', { status: ['confirmed'] });
    await order();
    const confirmed = await world.ask('POST', '/orders', {
      customer: {},
      auto_confirm: true,
      items: [{ sku: 'X', quantity: 1, unit_price: 5 }],
    });
    expect(await next(waiting)).toMatchObject([{ id: confirmed['uuid'], status: 'confirmed' }]);
    await waiting.turnOff();
  });

  test('for any event is asked for what all of the chosen ones can be narrowed by', async () => {
    const asked = async (trigger: string, events: readonly string[]): Promise<string[]> => {
      const { authData } = world.connection;
      const fields = await world.platform.run(`triggers.${trigger}.operation.inputFields`, {
        authData,
        inputData: { events },
      });
      return (Array.isArray(fields) ? fields : []).map(({ key }) => key).filter((key) => key !== 'events');
    };
    expect(await asked('any_event', [])).toEqual([]);
    expect(await asked('any_event', ['lead.created', 'company.created'])).toEqual(['owner_id', 'tag']);
    expect(await asked('any_event', ['lead.updated', 'company.created'])).toEqual([
      'fields_to_watch',
      'owner_id',
      'tag',
    ]);
    // A stage of a pipeline is none of a project.
    expect(await asked('any_event', ['lead.created', 'task.created'])).toEqual([]);
    expect(await asked('any_event', ['lead.created', 'quote.accepted'])).toEqual([]);
    expect(await asked('order_status_changed', ['order.shipped'])).toEqual(['payment_status']);
    expect(await asked('order_payment_changed', ['order.payment_paid'])).toEqual(['status']);
  });

  test('for several kinds of records is sent those that fit', async () => {
    const owner = await world.some('/users');
    const tag = unique('Both');
    await company({ tags: [tag] });
    const waiting = await on('any_event', { events: ['lead.created', 'company.created'], tag: [tag] });
    await company({ owner_id: owner['id'] });
    const lead = await world.newLead({ tags: [tag] });
    expect(await next(waiting)).toMatchObject([{ id: lead['id'], event_type: 'lead.created' }]);
    await waiting.turnOff();
  });

  test('cannot be turned on with a filter that one of its events does not have, and says which', async () => {
    const events = ['lead.created', 'contact.created'];
    const zap = world.zap('any_event', { events, pipeline_id: [world.pipeline.id] });
    expect((await failureOf(zap.turnOn())).message).toBe(
      'Pipeline: "Contact created" cannot be filtered by it. Take it out, or choose other events.',
    );
    expect(await hookOf(zap)).toBeUndefined();
  });

  test('cannot be turned on with what was deleted since, and says what it is and what to do', async () => {
    const gone = (label: string) =>
      `${label}: This is not in the list any more. It may have been deleted: take it out, or choose another one.`;
    const told = async (trigger: string, input: Values) =>
      (await failureOf(world.zap(trigger, input).turnOn())).message;
    expect(await told('lead_created', { pipeline_id: [randomUUID()] })).toBe(gone('Pipeline'));
    const stages = [world.stage('won').id, randomUUID()];
    expect(await told('lead_created', { stage_id: stages, owner_id: [randomUUID()] })).toBe(
      `${gone('Stage, choice 2')} ${gone('Owner')}`,
    );
    expect(await told('company_created', { tag: [unique('Never')] })).toBe(gone('Tag'));
    expect(await told('booking_created', { service_id: ['no id'] })).toBe(gone('Service'));
  });

  test('cannot be turned on with a value that is none, and says in which field', async () => {
    const zap = world.zap('lead_created', { status: ['shipped'] });
    expect((await failureOf(zap.turnOn())).message).toMatch(/^Status: /);
    const watching = world.zap('company_updated', { fields_to_watch: ['colour'] });
    expect((await failureOf(watching.turnOn())).message).toBe(
      'Fields to Watch: The event company.updated does not tell of a change of colour.',
    );
  });

  test('offers the stages of all chosen pipelines, with their pipelines', async () => {
    const one = await world.list('triggers.list_stages', { pipeline_id: [world.pipeline.id] }, { page: 0 });
    expect(one).toEqual(world.pipeline.stages.map(({ id, name }) => ({ id, name })));
    const both = { pipeline_id: [world.pipeline.id, randomUUID()] };
    const several = await world.list('triggers.list_stages', both, { page: 0 });
    const { id, name } = world.stage('won');
    expect(several).toContainEqual({ id, name: `${world.pipeline.name}: ${name}` });
    expect(await world.list('triggers.list_stages', both, { page: 1 })).toEqual([]);
  });

  test('offers tags by name', async () => {
    const tag = unique('Tag');
    await company({ tags: [tag] });
    const offered = await world.list('triggers.list_tags', {}, { page: 0 });
    expect(offered).toContainEqual({ id: expect.any(String), name: tag });
  });
}
