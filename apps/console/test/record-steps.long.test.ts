import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { stepTaker } from './step-taker.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const { organization, make, typesOf, lastOf, step } = await stepTaker(dealkeep);
const order = () => make('/orders', { customer: {}, items: [{ sku: 'X', unit_price: 5, quantity: 1 }] });

describe('an order', () => {
  test('goes through its steps, each with its event', async () => {
    const id = await order();
    const record = `/orders/${id}`;
    for (const name of ['confirmed', 'picking', 'packed', 'shipped', 'delivered', 'returned']) {
      expect((await step(record, name)).status, name).toBe(303);
      expect(await lastOf(id)).toBe(`order.${name}`);
    }
    const pickup = await order();
    await step(`/orders/${pickup}`, 'ready-for-pickup');
    expect(await lastOf(pickup)).toBe('order.ready_for_pickup');
    await step(`/orders/${pickup}`, 'cancelled');
    expect(await lastOf(pickup)).toBe('order.cancelled');
  });

  test('has its payment noted: pending, failed, paid, refunded', async () => {
    const id = await order();
    const record = `/orders/${id}`;
    for (const name of ['pending', 'failed', 'paid', 'refunded']) {
      expect((await step(record, `payment-${name}`)).status, name).toBe(303);
      expect(await typesOf(id)).toContain(`order.payment_${name}`);
    }
    expect(await typesOf(id)).toContain('order.paid');
  });
});

describe('a quote', () => {
  test('lists go on page by page', async () => {
    const other = await dealkeep.createOrganization();
    const visitor = new Browser(dealkeep);
    await visitor.signIn(other);
    for (let index = 0; index < 51; index += 1) {
      await inConsole(dealkeep.core, other, 'quotes.create', {
        items: [{ name: 'Bike', unit_price: index }],
      });
    }
    const first = await visitor.get('/quotes?sort=total');
    const next = /rel="next" href="([^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const rows = (html: string) => html.split('<th scope="row"').length - 1;
    expect([rows(first.html), rows((await visitor.get(next)).html)]).toEqual([50, 1]);
  });
});

test('a task moves to a stage of its own project: task.moved', async () => {
  const [project, first, second] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const { id: organization_id } = organization;
  await sql`
    insert into projects (organization_id, id, name, status, created_at, updated_at)
    values (${organization_id}, ${project}, 'Spring', 'active', now(), now())`;
  for (const [position, id] of [first, second].entries()) {
    await sql`
      insert into project_stages (organization_id, id, project_id, name, category, position)
      values (${organization_id}, ${id}, ${project}, ${`Stage ${position}`}, 'to_do', ${position})`;
  }
  await sql`update organizations set directory_version = directory_version + 1 where id = ${organization_id}`;
  const id = await make('/tasks', { title: 'Plan', project_id: project });
  await step(`/tasks/${id}`, 'move', { stage_id: second });
  expect(await typesOf(id)).toEqual(['task.created', 'task.moved']);
});

describe('a lead', () => {
  test('stands on the board in its stage, whose total counts it, and moves from there', async () => {
    const other = await dealkeep.createOrganization();
    const visitor = new Browser(dealkeep);
    await visitor.signIn(other);
    const key = dealkeep.as(other.key);
    const { data } = Object((await key.post('/leads', { name: 'On board', value: 1200 })).json);
    await key.post('/leads', { name: 'Beside it', value: 300.5 });
    const board = await visitor.get('/leads/board');
    const column = (html: string, name: string) =>
      textOf(html.split(`<section aria-label="${name}">`)[1]?.split('</section>')[0] ?? '');
    expect(column(board.html, data.stage.name)).toContain('2 · €1,500.50');
    const pipelines = Object((await key.get('/pipelines')).json).data;
    const lost = pipelines[0].stages.find((each: { kind: string }) => each.kind === 'lost');
    const back = `/leads/board?pipeline_id=${pipelines[0].id}`;
    const move = `/leads/${data.id}/move?${new URLSearchParams({ back })}`;
    expect(board.html).toContain(`class="card-menu" href="${move}"`);
    const moved = await visitor.fill(move, move, { stage_id: lost.id, do: 'save' });
    expect(moved.location).toBe(back);
    expect(column((await visitor.get('/leads/board')).html, lost.name)).toContain('On board');
    const types = (await dealkeep.eventsOf(other, data.id)).map(({ type }) => type);
    expect(types).toEqual(['lead.created', 'lead.stage_changed', 'lead.lost']);
  });
});
