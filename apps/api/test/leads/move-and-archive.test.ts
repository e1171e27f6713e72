import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, lostReason, openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addPipeline } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

/** A business with one lead in the first stage of its default pipeline. */
async function oneLead(fields: object = {}) {
  const business = await openBusiness(dealkeep);
  const { api } = business;
  const { stages } = await defaultPipeline(api);
  const lead = (await api.post('/leads', { name: 'Bikes', ...fields })).data;
  const move = (stage: string, more: object = {}) =>
    api.post(`/leads/${lead.id}/move`, { stage_id: stages[stage], ...more });
  return { ...business, stages, lead, move };
}

describe('a move', () => {
  test('to another open stage (rules leads 19 and 26)', async () => {
    const { api, lead, move, eventsDuring } = await oneLead();
    const events = await eventsDuring(async () => {
      const moved = await move('Contacted');
      expect(moved.status).toBe(200);
      expect(moved.data).toEqual({
        ...lead,
        stage: { id: expect.any(String), name: 'Contacted', kind: 'open', probability: 25 },
        stage_entered_at: moved.data.updated_at,
        updated_at: expect.any(String),
      });
      expect(Date.parse(moved.data.updated_at ?? '')).toBeGreaterThan(Date.parse(lead.updated_at ?? ''));
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed']);
    expect(events[0]?.dataText).toBe(recordText((await api.get(`/leads/${lead.id}`)).text));
    expect(events[0]).not.toHaveProperty('changed_fields');
  });

  test('into won, and what it says (rules leads 19 and 26)', async () => {
    const { api, lead, move, eventsDuring } = await oneLead();
    const events = await eventsDuring(async () => {
      const moved = (await move('Won')).data;
      expect(moved).toMatchObject({
        status: 'won',
        won_at: moved.updated_at,
        lost_at: null,
        archived_at: null,
      });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed', 'lead.won']);
    const text = recordText((await api.get(`/leads/${lead.id}`)).text);
    expect(events.map(({ dataText }) => dataText)).toEqual([text, text]);
  });

  test('into lost, with the reason and the note (rule leads 20)', async () => {
    const { api, move, eventsDuring } = await oneLead();
    const reason = await lostReason(api);
    const events = await eventsDuring(async () => {
      const moved = (await move('Lost', { lost_reason_id: reason, lost_note: 'Chose a cheaper offer.' }))
        .data;
      expect(moved).toMatchObject({
        status: 'lost',
        lost_at: moved.updated_at,
        won_at: null,
        lost_reason: { id: reason, name: 'Price' },
        lost_note: 'Chose a cheaper offer.',
      });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed', 'lead.lost']);
  });

  test('back to open clears what won and lost left (rule leads 20)', async () => {
    const { api, move, eventsDuring } = await oneLead();
    const reason = await lostReason(api);
    await move('Lost', { lost_reason_id: reason, lost_note: 'x' });
    const cleared = { won_at: null, lost_at: null, lost_reason: null, lost_note: null };
    const events = await eventsDuring(async () => {
      expect((await move('New')).data).toMatchObject({ status: 'open', ...cleared });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed']);
    await move('Won');
    expect((await move('New')).data).toMatchObject({ status: 'open', ...cleared });
  });

  test('from won to lost and back keeps only what is true', async () => {
    const { api, move } = await oneLead();
    const reason = await lostReason(api);
    await move('Won');
    expect((await move('Lost', { lost_reason_id: reason })).data).toMatchObject({
      status: 'lost',
      won_at: null,
    });
    const won = (await move('Won')).data;
    expect(won).toMatchObject({ status: 'won', lost_at: null, lost_reason: null, won_at: won.updated_at });
  });

  test('between two won stages keeps won_at and wins no second time (rule leads 20)', async () => {
    const { api, organization, eventsDuring } = await oneLead();
    const pipeline = await addPipeline({ dealkeep, organization }, 'Two', {
      Open: 'open',
      Signed: 'won',
      Paid: 'won',
    });
    const lead = (await api.post('/leads', { stage_id: pipeline.stages['Signed'] })).data;
    const events = await eventsDuring(async () => {
      const moved = await api.post(`/leads/${lead.id}/move`, { stage_id: pipeline.stages['Paid'] });
      expect(moved.data).toMatchObject({ status: 'won', won_at: lead.won_at });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed']);
  });

  test('to the stage where the lead is changes nothing (rule leads 22)', async () => {
    const { lead, move, eventsDuring } = await oneLead();
    const events = await eventsDuring(async () => {
      const same = await move('New', { lost_note: null });
      expect(same.outcome).toBe('200');
      expect(same.data).toEqual(lead);
    });
    expect(events).toEqual([]);
  });

  test('to the lost stage where the lead is keeps the reason and the note (rule leads 22)', async () => {
    const { api, move, eventsDuring } = await oneLead();
    const lost = (await move('Lost')).data;
    const because = { lost_reason_id: await lostReason(api), lost_note: 'Chose a cheaper offer.' };
    const events = await eventsDuring(async () => {
      const kept = await move('Lost', because);
      expect(kept.data).toEqual({
        ...lost,
        lost_reason: { id: because.lost_reason_id, name: 'Price' },
        lost_note: because.lost_note,
        updated_at: expect.any(String),
      });
      expect((await api.get(`/leads/${lost.id}`)).data).toEqual(kept.data);
      // The same once more, and what is absent or null, changes nothing.
      for (const same of [because, {}, { lost_reason_id: null, lost_note: null }]) {
        expect((await move('Lost', same)).data).toEqual(kept.data);
      }
    });
    expect(events.map(({ type, changed_fields }) => [type, changed_fields])).toEqual([
      ['lead.updated', ['lost_reason', 'lost_note']],
    ]);
  });

  test('to an open or a won stage refuses a lost reason and a note, also where the lead is (rule leads 29)', async () => {
    const { api, lead, move } = await oneLead();
    const because = { lost_reason_id: await lostReason(api), lost_note: 'Chose a cheaper offer.' };
    const refused = { lost_reason_id: 'only_of_lost_leads', lost_note: 'only_of_lost_leads' };
    for (const stage of ['New', 'Contacted', 'Won']) {
      expect((await move(stage, because)).fields).toEqual(refused);
      expect((await move(stage, { ...because, nonsense: 1 })).fields).toEqual({
        ...refused,
        nonsense: 'unknown',
      });
    }
    expect((await api.get(`/leads/${lead.id}`)).data).toEqual(lead);
  });

  test('to a stage of another pipeline is refused (rule leads 21)', async () => {
    const { api, organization, lead } = await oneLead();
    const other = await addPipeline({ dealkeep, organization }, 'Other', { First: 'open' });
    const refused = await api.post(`/leads/${lead.id}/move`, { stage_id: other.stages['First'] });
    expect(refused.fields).toEqual({ stage_id: 'stage_of_other_pipeline' });
  });

  test('names all that is wrong with it at once (rule leads 21)', async () => {
    const { api, lead, move } = await oneLead();
    const nothing = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    const refused = await api.post(`/leads/${lead.id}/move`, { stage_id: nothing, lost_reason_id: nothing });
    expect(refused.fields).toEqual({ stage_id: 'not_found', lost_reason_id: 'not_found' });
    expect((await move('New', { lost_reason_id: nothing })).fields).toEqual({ lost_reason_id: 'not_found' });
    expect((await api.post(`/leads/${lead.id}/move`, {})).fields).toEqual({ stage_id: 'required' });
    expect((await api.post(`/leads/${lead.id}/move`)).outcome).toBe('400 BAD_REQUEST');
  });

  test('into lost needs a reason where the pipeline demands one (rule leads 24)', async () => {
    const { api, organization, eventTypes } = await oneLead();
    const pipeline = await addPipeline(
      { dealkeep, organization },
      'Strict',
      { Open: 'open', Won: 'won', Gone: 'lost' },
      { requireLostReason: true },
    );
    const lead = (await api.post('/leads', { pipeline_id: pipeline.id })).data;
    const move = (body: object) => api.post(`/leads/${lead.id}/move`, body);
    const before = await eventTypes();
    const gone = pipeline.stages['Gone'];
    expect((await move({ stage_id: gone })).fields).toEqual({ lost_reason_id: 'lost_reason_required' });
    expect((await move({ stage_id: gone, lost_reason_id: null })).fields).toEqual({
      lost_reason_id: 'lost_reason_required',
    });
    expect((await api.patch(`/leads/${lead.id}`, { stage_id: gone })).fields).toEqual({
      lost_reason_id: 'lost_reason_required',
    });
    expect(await eventTypes()).toEqual(before);
    expect((await move({ stage_id: pipeline.stages['Won'] })).outcome).toBe('200');
    expect((await move({ stage_id: gone, lost_reason_id: await lostReason(api) })).data.status).toBe('lost');
  });

  test('two at once leave one stage and two honest events', async () => {
    const { api, lead, move, eventsDuring } = await oneLead();
    const events = await eventsDuring(() => Promise.all([move('Contacted'), move('Won')]));
    const now = recordText((await api.get(`/leads/${lead.id}`)).text);
    const changes = events
      .filter(({ type }) => type === 'lead.stage_changed')
      .map(({ dataText }) => dataText);
    expect(new Set(changes).size).toBe(2);
    expect(changes).toContain(now);
  });

  test('the same one eight times at once happens once', async () => {
    const { move, eventsDuring } = await oneLead();
    const events = await eventsDuring(() => Promise.all(Array.from({ length: 8 }, () => move('Won'))));
    expect(events.map(({ type }) => type)).toEqual(['lead.stage_changed', 'lead.won']);
  });
});

describe('an archive', () => {
  test('without a body', async () => {
    const { api, lead, eventsDuring } = await oneLead();
    const events = await eventsDuring(async () => {
      const archived = (await api.post(`/leads/${lead.id}/archive`)).data;
      expect(archived).toEqual({ ...lead, archived_at: archived.updated_at, updated_at: expect.any(String) });
    });
    expect(events.map(({ type }) => type)).toEqual(['lead.archived']);
    expect(events[0]?.dataText).toBe(recordText((await api.get(`/leads/${lead.id}`)).text));
  });

  test('with a reason and a note (rule leads 27)', async () => {
    const { api, lead } = await oneLead();
    const reason = await lostReason(api);
    const archived = await api.post(`/leads/${lead.id}/archive`, {
      lost_reason_id: reason,
      lost_note: 'Silent.',
    });
    expect(archived.data).toMatchObject({
      status: 'open',
      lost_at: null,
      lost_reason: { id: reason },
      lost_note: 'Silent.',
    });
  });

  test('of a won lead leaves it won', async () => {
    const { api, lead, move } = await oneLead();
    const won = (await move('Won')).data;
    const archived = (await api.post(`/leads/${lead.id}/archive`, {})).data;
    expect(archived).toMatchObject({ status: 'won', won_at: won.won_at });
  });

  test('cannot be repeated, and its lead no longer be moved or updated (rule leads 28)', async () => {
    const { api, lead, move, eventTypes } = await oneLead();
    await api.post(`/leads/${lead.id}/archive`);
    const before = await eventTypes();
    const path = `/leads/${lead.id}` as const;
    expect((await api.post(`${path}/archive`)).outcome).toBe('409 CONFLICT');
    expect((await move('Won')).outcome).toBe('409 CONFLICT');
    expect((await move('New')).outcome).toBe('409 CONFLICT');
    expect((await api.patch(path, { name: 'x' })).outcome).toBe('409 CONFLICT');
    expect((await api.patch(path, {})).outcome).toBe('409 CONFLICT');
    expect((await api.get(path)).outcome).toBe('200');
    expect(await eventTypes()).toEqual(before);
  });

  test('eight times at once happens once', async () => {
    const { api, lead, eventsDuring } = await oneLead();
    const events = await eventsDuring(async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.post(`/leads/${lead.id}/archive`)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    });
    expect(events).toHaveLength(1);
  });
});

test('what does not exist is 404', async () => {
  const { api, stages } = await oneLead();
  const nothing = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
  for (const id of [nothing, 'x', '1', `${nothing}0`, '%00', '%F0%9F%98%80']) {
    expect((await api.get(`/leads/${id}`)).outcome).toBe('404 NOT_FOUND');
    expect((await api.patch(`/leads/${id}`, { name: 'x' })).outcome).toBe('404 NOT_FOUND');
    expect((await api.post(`/leads/${id}/move`, { stage_id: stages['Won'] })).outcome).toBe('404 NOT_FOUND');
    expect((await api.post(`/leads/${id}/archive`)).outcome).toBe('404 NOT_FOUND');
  }
});
