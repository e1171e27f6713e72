import { type EventType, eventTypes, sampleEnvelope } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { type Envelope, isWanted, outputOf, readEnvelope } from '../nodes/shared/trigger/envelope.ts';
import { type TriggerContext, wantedOf } from '../nodes/shared/trigger/trigger-parameters.ts';

const organization = { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'tatra-studio' };

function sample(type: EventType, changed?: string[]): Envelope {
  const envelope = readEnvelope({
    ...sampleEnvelope(type, organization),
    ...(changed ? { changed_fields: changed } : {}),
  });
  if (!envelope) throw new Error('A sample is an envelope');
  return envelope;
}

/** A trigger with these parameters, as n8n shows it to the code. */
const trigger = (parameters: Record<string, unknown>): TriggerContext => ({
  getNodeParameter: (name: string, otherwise?: unknown) => Object(parameters)[name] ?? Object(otherwise),
  getNode: () => ({
    id: '1',
    name: 'Dealkeep Trigger',
    type: 'dealkeepTrigger',
    typeVersion: 2,
    position: [0, 0],
    parameters: Object(parameters),
  }),
  getWorkflow: () => ({ id: '1', active: true, name: 'Leads' }),
});

const wanted = (parameters: Record<string, unknown>) => wantedOf(trigger(parameters));

describe('what a trigger wants (rule n8n 13)', () => {
  test('is every single event of the choices that stand for several', () => {
    expect(
      wanted({ events: ['company.created,company.updated', 'company.updated', 'lead.won'] }).events,
    ).toEqual(['company.created', 'company.updated', 'lead.won']);
    expect(wanted({ events: ['*'] }).events).toEqual(eventTypes);
  });

  test('is under OAuth all that a connection can reach, when it is all', () => {
    const { events } = wanted({ events: ['*'], authentication: 'oAuth2' });
    expect(events).toEqual(eventTypes.filter((type) => !type.startsWith('product.')));
    expect(events.filter((type) => type.startsWith('product.'))).toEqual([]);
  });

  test('is one filter of the API where several dropdowns are for it, and ids in one case', () => {
    const id = '01985F6E-2C41-7D3A-9B52-4F0C8A7E1D63';
    expect(
      wanted({
        events: ['lead.created', 'task.moved'],
        filters: { stageId: [id], projectStageId: ['01985f6e-2c41-7d3a-9b52-4f0c8a7e1d64'], pipelineId: [] },
      }).filters,
    ).toEqual({ stage_id: [id.toLowerCase(), '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d64'] });
  });

  test('is refused when nothing is chosen', () => {
    expect(() => wanted({ events: [] })).toThrow('Events: nothing is chosen');
  });

  test('is refused when an event lacks what it is filtered by, by the names of both', () => {
    expect(() => wanted({ events: ['lead.won', 'task.moved'], filters: { pipelineId: ['1'] } })).toThrow(
      'Filters → Pipeline: Task Moved cannot be filtered by it',
    );
  });

  test('is refused when an update does not tell of a watched field', () => {
    const events = ['lead.updated', 'company.updated'];
    expect(() => wanted({ events, leadFieldsToWatch: ['value'] })).toThrow(
      'Fields to Watch: Company Updated has no field value',
    );
    expect(wanted({ events, leadFieldsToWatch: ['name'] }).changedFields).toEqual(['name']);
  });
});

describe('a lead that is created or updated (rule n8n 13)', () => {
  const asOne = 'lead.created,lead.updated,lead.stage_changed';
  const starting = (parameters: Record<string, unknown>, events: readonly Envelope[]) =>
    events.filter((event) => isWanted(event, wanted(parameters))).map(({ type }) => type);

  test('is also one that is moved', () => {
    const each = [sample('lead.created'), sample('lead.updated', ['note']), sample('lead.stage_changed')];
    expect(starting({ events: [asOne] }, each)).toEqual(asOne.split(','));
  });

  test('starts the workflow once when one request changes fields of it and moves it: with the move', () => {
    const both = [sample('lead.updated', ['note', 'stage']), sample('lead.stage_changed')];
    expect(starting({ events: [asOne] }, both)).toEqual(['lead.stage_changed']);
    // Who chose them one by one, or the update alone, waits for each.
    const single = ['lead.updated', 'lead.stage_changed'];
    expect(starting({ events: single }, both)).toEqual(single);
    expect(starting({ events: ['*'] }, both)).toEqual(single);
    expect(starting({ events: ['lead.updated'] }, both)).toEqual(['lead.updated']);
  });

  test('is waited for by its stage, which is asked of Dealkeep as the move', () => {
    const watching = (...leadFieldsToWatch: string[]) => wanted({ events: [asOne], leadFieldsToWatch });
    expect(watching('stage')).toMatchObject({
      events: ['lead.created', 'lead.stage_changed'],
      changedFields: [],
    });
    expect(watching('value')).toMatchObject({
      events: ['lead.created', 'lead.updated'],
      changedFields: ['value'],
    });
    expect(watching('value', 'stage')).toMatchObject({ events: asOne.split(','), changedFields: ['value'] });
  });

  test('starts the workflow with the update where the move is not waited for', () => {
    const both = [sample('lead.updated', ['value', 'stage']), sample('lead.stage_changed')];
    const watching = (...leadFieldsToWatch: string[]) => ({ events: [asOne], leadFieldsToWatch });
    expect(starting(watching('value'), both)).toEqual(['lead.updated']);
    expect(starting(watching('stage'), both)).toEqual(['lead.stage_changed']);
    expect(starting(watching('value', 'stage'), both)).toEqual(['lead.stage_changed']);
    expect(starting(watching('note'), both)).toEqual([]);
    // A move that was chosen besides is waited for whatever is watched.
    expect(starting({ events: [asOne, 'lead.stage_changed'], leadFieldsToWatch: ['note'] }, both)).toEqual([
      'lead.stage_changed',
    ]);
  });

  test('is not waited for by its stage beside a single update, which tells of no move', () => {
    for (const events of [['lead.updated'], [asOne, 'lead.updated']]) {
      expect(() => wanted({ events, leadFieldsToWatch: ['stage'] })).toThrow(
        'Fields to Watch: Lead Updated has no field stage',
      );
    }
  });
});

describe('an event of the feed', () => {
  test('is wanted when it was chosen, and only then', () => {
    expect(isWanted(sample('lead.won'), wanted({ events: ['lead.won'] }))).toBe(true);
    expect(isWanted(sample('lead.lost'), wanted({ events: ['lead.won'] }))).toBe(false);
  });

  test('of an update is wanted when a watched field changed, or when none is watched', () => {
    const watching = wanted({ events: ['lead.updated'], leadFieldsToWatch: ['value', 'note'] });
    expect(isWanted(sample('lead.updated', ['note', 'owner']), watching)).toBe(true);
    expect(isWanted(sample('lead.updated', ['owner']), watching)).toBe(false);
    expect(isWanted(sample('lead.updated', ['owner']), wanted({ events: ['lead.updated'] }))).toBe(true);
  });

  test('of a new record is wanted whatever is watched', () => {
    const watching = wanted({
      events: ['lead.created,lead.updated,lead.stage_changed'],
      leadFieldsToWatch: ['value'],
    });
    expect(isWanted(sample('lead.created'), watching)).toBe(true);
    expect(isWanted(sample('lead.updated', ['note']), watching)).toBe(false);
  });

  test('is wanted when its record has one of the values of each filter', () => {
    const won = sample('lead.won');
    const [stage, pipeline] = [Object(won.data['stage']).id, Object(won.data['pipeline']).id];
    const by = (filters: object) => isWanted(won, wanted({ events: ['lead.won'], filters }));
    expect(by({ pipelineId: [pipeline], stageId: ['01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', stage] })).toBe(
      true,
    );
    expect(by({ pipelineId: [pipeline], stageId: ['01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63'] })).toBe(false);
    expect(by({ tag: Object(won.data['tags']).slice(0, 1) })).toBe(true);
    expect(by({ tag: ['No such tag'] })).toBe(false);
  });

  test('is filtered by one of several people, too', () => {
    const task = sample('task.created');
    const [{ id }] = Object(task.data['assignees']);
    expect(isWanted(task, wanted({ events: ['task.created'], filters: { assigneeId: [id] } }))).toBe(true);
    expect(isWanted(task, wanted({ events: ['task.created'], filters: { assigneeId: ['1'] } }))).toBe(false);
  });
});

describe('the output of an event (rule n8n 19)', () => {
  test('has exactly the fields of the record, and the particulars of the event', () => {
    const won = sample('lead.won');
    const output = outputOf(won, { output: 'record' });
    expect(Object.keys(output)).toEqual([
      ...Object.keys(won.data),
      'event_id',
      'event_type',
      'event_timestamp',
    ]);
    expect(output).toMatchObject({
      event_id: won.id,
      event_type: 'lead.won',
      event_timestamp: won.timestamp,
    });
  });

  test('of an update names the changed fields and what they were, too', () => {
    const updated = sample('lead.updated', ['note']);
    expect(outputOf(updated, { output: 'record' })).toMatchObject({
      changed_fields: ['note'],
      previous: updated.whole['previous'],
    });
    expect(updated.previous).toBeDefined();
  });

  test('is the whole envelope where that is wanted', () => {
    const moved = sample('lead.stage_changed');
    expect(outputOf(moved, { output: 'envelope' })).toBe(moved.whole);
  });
});

test('what is no envelope is not taken for one', () => {
  const bodies = [
    undefined,
    null,
    [],
    'text',
    {},
    { id: 'evt_1', type: 'lead.won' },
    { id: 'evt_1', type: 'lead.won', data: [] },
  ];
  for (const body of bodies) expect(readEnvelope(body)).toBeUndefined();
});
