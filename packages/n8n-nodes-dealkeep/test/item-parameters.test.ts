import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../nodes/shared/failure.ts';
import { operations } from '../nodes/shared/generated/operations.ts';
import { ItemParameters } from '../nodes/shared/operations/read-parameters.ts';
import { Organization } from '../nodes/shared/parameters/organization.ts';

const id = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const chosen = (value: unknown) => ({ __rl: true, mode: 'id', value });
/** What `{{ $json.misspelt }}` gives. */
const misspelt = undefined;

const tags = [
  { id, name: 'Bolts, nuts' },
  { id: '01985f6e-2c41-7d3a-9b52-000000000000', name: 'VIP' },
];

type Parameters = Readonly<Record<string, unknown>>;

/** The parameters of one item as n8n gives them: a parameter that is not among them is hidden. */
function parametersOf(
  place: string,
  parameters: Parameters,
  { type = 'n8n-nodes-dealkeep.dealkeep', forbidden = false } = {},
) {
  const [resource = '', name = ''] = place.split('.');
  const operation = operations[resource]?.[name];
  if (!operation) throw new Error(`There is no ${place}`);
  const context: unknown = {
    getNodeParameter: (parameter: string, _: number, otherwise: unknown) => {
      if (Object.hasOwn(parameters, parameter)) return parameters[parameter];
      if (otherwise === undefined) throw new Error(`Could not get parameter "${parameter}"`);
      return otherwise;
    },
    getNode: () => ({ type, parameters }),
    getTimezone: () => 'Europe/Bratislava',
    isToolExecution: () => false,
    getInputData: () => [{ json: parameters['input'] ?? {} }],
  };
  const api: unknown = {
    request: async () => {
      if (forbidden) throw new ApiFailure({ message: 'Not permitted', status: 403 });
      return { data: tags, next_cursor: null };
    },
  };
  return new ItemParameters(Object(context), 0, operation, Organization.of(Object(api)));
}

const asTool = { type: 'n8n-nodes-dealkeep.dealkeepTool' };
const body = (place: string, parameters: Parameters, more = {}) =>
  parametersOf(place, parameters, more).body();
const query = (place: string, filters: unknown, more = {}) =>
  parametersOf(place, { filters, sort: {} }, more).query();

describe('a misspelt expression stops the item and names the field (rule n8n 25)', () => {
  test.each([
    ['Owner', 'lead.update', { updateFields: { ownerId: chosen(misspelt) } }],
    ['Company', 'lead.update', { updateFields: { companyId: chosen(misspelt) } }],
    ['Contact', 'lead.update', { updateFields: { note: 'x', contactId: chosen(misspelt) } }],
    ['Update Fields', 'lead.update', { updateFields: misspelt }],
    ['Fields to Clear', 'lead.update', { updateFields: { fieldsToClear: misspelt } }],
    ['Company', 'lead.create', { name: 'Fleet', companyId: chosen(misspelt), additionalFields: {} }],
    ['Name', 'lead.create', { name: misspelt, companyId: chosen(id), additionalFields: {} }],
    ['Owner', 'lead.create', { name: 'Fleet', additionalFields: { ownerId: chosen(misspelt) } }],
    ['Assignees', 'lead.create', { name: 'Fleet', additionalFields: { assigneeIds: [misspelt] } }],
    ['Additional Fields', 'company.create', { name: 'Tatra', additionalFields: misspelt }],
    [
      'Name',
      'contact.upsert',
      { matchBy: 'email', email: 'eva@orava.example', name: misspelt, additionalFields: {} },
    ],
  ])('%s of %s', async (label, place, parameters) => {
    await expect(body(place, parameters)).rejects.toThrow(`${label}: the expression gives nothing`);
  });

  test('in a filter, too, by its value, its record and the name of its custom field', () => {
    const by = (filters: unknown) => () => query('company.getAll', filters);
    expect(by({ ownerId: chosen(misspelt) })).toThrow('Owner: the expression gives nothing');
    expect(by({ registrationId: misspelt })).toThrow('Registration ID: the expression gives nothing');
    expect(by(misspelt)).toThrow('Filters: the expression gives nothing');
    expect(by({ customField: { values: [{ name: chosen(misspelt), value: 'x' }] } })).toThrow(
      /Field: the expression gives nothing$/,
    );
  });

  test('and a hidden field is none: what the form does not show is left out', async () => {
    expect(await body('lead.create', { name: 'Fleet', additionalFields: {} })).toEqual({ name: 'Fleet' });
  });

  test('while an empty text and null, which somebody wrote, clear a relation', async () => {
    const updateFields = { ownerId: chosen(''), companyId: chosen(null), note: '' };
    expect(await body('lead.update', { updateFields })).toEqual({
      owner_id: null,
      company_id: null,
      note: null,
    });
  });
});

describe('the filters of a REST hook (rule n8n 31)', () => {
  const hook = (filters: unknown, more = {}) =>
    body('webhook.update', { webhookId: chosen(id), updateFields: { filters } }, more);

  test('are sent by the names of the API, with the ids as Dealkeep has them, and statuses of all kinds as one', async () => {
    const filters = {
      ownerId: [id.toUpperCase()],
      tag: 'Bolts, VIP',
      leadStatus: ['won', 'lost'],
      invoiceStatus: ['paid', 'won'],
    };
    expect(await hook(filters)).toEqual({
      filters: { owner_id: [id], tag: ['Bolts', 'VIP'], status: ['won', 'lost', 'paid'] },
    });
    expect(parametersOf('webhook.update', { updateFields: { filters } }).eventFilters()).toMatchObject([
      { label: 'Owner', load: 'loadUser', values: [id] },
      { label: 'Tag', values: ['Bolts', 'VIP'] },
      { label: 'Lead Status', values: ['won', 'lost'] },
      { label: 'Invoice Status', values: ['paid', 'won'] },
    ]);
  });

  test('stop the item where one is there without a value, as every event would come', async () => {
    await expect(hook({ tag: [] })).rejects.toThrow('Filters → Tag: nothing is chosen');
    await expect(hook({ tag: '' })).rejects.toThrow('Filters → Tag: nothing is chosen');
    await expect(hook({ tag: misspelt })).rejects.toThrow('Filters → Tag: the expression gives nothing');
    await expect(hook({ town: ['Košice'] })).rejects.toThrow('Filters: "town" is no filter of events');
    await expect(hook('all')).rejects.toThrow('Filters: an object is wanted, but the value is "all"');
  });

  test('stay as they are when none is added, and where an agent knows no value', async () => {
    expect(await hook({})).toEqual({});
    expect(await hook({ tag: '', ownerId: [misspelt] }, asTool)).toEqual({});
  });

  test('and the watched fields are taken away by Fields to Clear', async () => {
    const updateFields = { fieldsToClear: ['filters', 'changed_fields'], changedFields: ['value'] };
    expect(await body('webhook.update', { updateFields })).toEqual({
      filters: null,
      changed_fields: ['value'],
    });
  });
});

describe('Fields to Clear (rule n8n 28)', () => {
  test('empties what can be empty: a text, a relation, a list', async () => {
    const fieldsToClear = ['note', 'owner_id', 'tags'];
    expect(await body('lead.update', { updateFields: { fieldsToClear } })).toEqual({
      note: null,
      owner_id: null,
      tags: [],
    });
  });

  test('takes names as the API or the form has them, in one text, from an agent as well', async () => {
    for (const more of [{}, asTool]) {
      const updateFields = { fieldsToClear: 'Email, vatId,phone', email: '' };
      expect(
        await body(
          'company.update',
          { updateFields: { ...updateFields, email: more === asTool ? '' : null } },
          more,
        ),
      ).toEqual({
        email: null,
        vat_id: null,
        phone: null,
      });
    }
  });

  test('leaves a field that is filled in as well', async () => {
    const updateFields = { fieldsToClear: ['email', 'phone'], email: 'new@tatra.example' };
    expect(await body('company.update', { updateFields })).toEqual({
      email: 'new@tatra.example',
      phone: null,
    });
  });

  test.each(['name', 'constructor', 'fax'])('refuses %s, which cannot be empty', async (name) => {
    await expect(body('company.update', { updateFields: { fieldsToClear: [name] } })).rejects.toThrow(
      `Fields to Clear: "${name}" is no field that can be empty`,
    );
  });

  test('is offered by every update of a record that has fields which can be empty', () => {
    const updates = Object.values(operations).flatMap((of) => (of['update']?.mapped ? [of['update']] : []));
    expect(updates.length).toBeGreaterThan(4);
    for (const { optional } of updates) expect(optional.some(({ nullable }) => nullable)).toBe(true);
  });
});

describe('as a tool of an agent (rule n8n 12)', () => {
  test('empty, null and absent leave a field as it is', async () => {
    const updateFields = {
      email: '',
      phone: null,
      street: misspelt,
      ownerId: chosen(''),
      tags: [],
      note: 'Called',
    };
    expect(await body('company.update', { updateFields }, asTool)).toEqual({ note: 'Called' });
    expect(await body('company.update', { updateFields: misspelt }, asTool)).toEqual({});
  });

  test('empty, null and absent are left out of what is created', async () => {
    const parameters = {
      name: 'Fleet',
      companyId: chosen(misspelt),
      additionalFields: { value: '', expectedCloseDate: '', ownerId: chosen(null), tags: '' },
    };
    expect(await body('lead.create', parameters, asTool)).toEqual({ name: 'Fleet' });
  });

  test('an empty filter is none, and a limit that is not given the usual one', () => {
    const filters = { q: '', ownerId: chosen(misspelt), tag: chosen(''), registrationId: null };
    expect(query('company.getAll', filters, asTool)).toEqual({});
    expect(parametersOf('company.getAll', { returnAll: false, limit: '' }, asTool).limit()).toBe(50);
  });
});

describe('in a workflow an empty filter stops the item (rule n8n 27)', () => {
  test.each([
    ['Email', 'contact.getAll', { email: '' }],
    ['Email', 'contact.getAll', { email: null }],
    ['Company', 'contact.getAll', { companyId: chosen('') }],
    ['Owner', 'company.getAll', { ownerId: { __rl: true, mode: 'list', value: '' } }],
  ])('%s of %s', (label, place, filters) => {
    expect(() => query(place, filters)).toThrow(
      expect.objectContaining({
        message: `Filters → ${label}: nothing to look for`,
        description: expect.stringMatching(/Remove the filter, or let its expression give a value/),
      }),
    );
  });

  test('and without filters all records are read', () => {
    expect(query('contact.getAll', {})).toEqual({});
    expect(query('contact.getAll', { isPrimary: false })).toEqual({ is_primary: false });
  });
});

describe('a tag with a comma in its name (rule n8n 29)', () => {
  const tagged = async (given: unknown, more = {}) =>
    Object(await body('company.create', { name: 'Tatra', additionalFields: { tags: given } }, more)).tags;

  test('is one tag when it is chosen from the list, given by id, or the whole text', async () => {
    for (const given of [['Bolts, nuts'], [id], 'Bolts, nuts', ' bolts, nuts ', id]) {
      expect((await tagged(given)).map((name: string) => name.toLowerCase())).toEqual(['bolts, nuts']);
    }
  });

  test('and any other text that somebody wrote is a tag for each of its parts', async () => {
    expect(await tagged('VIP, Nuts,')).toEqual(['VIP', 'Nuts']);
    expect(await tagged('VIP')).toEqual(['VIP']);
    expect(await tagged('Bolts, nuts', { forbidden: true })).toEqual(['Bolts', 'nuts']);
  });

  test('also where columns of the input are mapped', async () => {
    const parameters = { mapping: { mappingMode: 'autoMapInputData' }, unknownColumns: 'error' };
    const input = { name: 'Tatra', tags: 'Bolts, nuts' };
    expect(await body('company.create', { ...parameters, input })).toEqual({
      name: 'Tatra',
      tags: ['Bolts, nuts'],
    });
  });
});
