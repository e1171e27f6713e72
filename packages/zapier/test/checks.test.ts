import { describe, expect, test } from 'vitest';
import { checks, Definition, descriptionFindings, findingsOf } from '../bin/checks/index.ts';
import manifest from '../package.json' with { type: 'json' };
import { apiKey, variants } from '../src/index.ts';
import { definitionOf } from './platform/definition-of.ts';

const built = await definitionOf(apiKey);

/** A copy of the built definition with one fault. */
function faulty(spoil: (definition: Definition) => void): unknown {
  const definition = Definition.parse(structuredClone(built));
  spoil(definition);
  return definition;
}

const field = (fields: Definition['creates'][string]['operation']['inputFields'], key: string) => {
  const found = fields.find((each) => typeof each !== 'string' && each.key === key);
  if (found === undefined || typeof found === 'string') throw new Error(`no field ${key}`);
  return found;
};
const operation = (definition: Definition, kind: 'triggers' | 'creates' | 'searches', key: string) => {
  const found = definition[kind][key];
  if (!found) throw new Error(`no ${kind}.${key}`);
  return found;
};
const sampleOf = (definition: Definition, key: string) =>
  operation(definition, 'triggers', key).operation.sample ?? {};

interface Fault {
  readonly where: string;
  readonly spoil: (definition: Definition) => void;
  /** A check that no fault can pass which this one finds. */
  readonly implies?: string;
}

/** For each check a fault that it alone finds, and where. */
const faults: Record<string, Fault> = {
  D001: {
    where: 'creates.create_lead.api_key',
    spoil: (d) =>
      operation(d, 'creates', 'create_lead').operation.inputFields.push({ key: 'api_key', label: 'API Key' }),
  },
  D002: {
    where: 'authentication.api_key',
    spoil: (d) => {
      for (const each of d.authentication.fields) each.helpText = 'On the page of API keys.';
    },
  },
  D003: {
    where: 'authentication',
    spoil: (d) => {
      d.authentication.connectionLabel = '{{api_key}}';
    },
  },
  D004: {
    where: 'creates.move_lead.stage_id',
    spoil: (d) => {
      const stage = field(operation(d, 'creates', 'move_lead').operation.inputFields, 'stage_id');
      delete stage.dynamic;
    },
  },
  D005: {
    where: 'creates.move_lead.stage_id',
    spoil: (d) => {
      field(operation(d, 'creates', 'move_lead').operation.inputFields, 'stage_id').dynamic =
        'list_nothing.id';
    },
  },
  D006: {
    where: 'triggers.lead_won',
    spoil: (d) => {
      delete operation(d, 'triggers', 'lead_won').operation.performList;
    },
  },
  D007: {
    where: 'http://crm.example.com',
    spoil: (d) => {
      operation(d, 'creates', 'create_lead').display.description = 'Posts to `http://crm.example.com` .';
    },
  },
  D008: {
    where: 'triggers.lead_won',
    spoil: (d) => {
      operation(d, 'triggers', 'lead_won').display.description =
        'Triggers when https://crm.example.com calls.';
    },
  },
  D009: {
    where: 'searches.find_user',
    spoil: (d) => {
      operation(d, 'searches', 'find_user').operation.inputFields = [];
    },
  },
  D010: {
    where: 'triggers.lead_won',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['id'] = '';
    },
  },
  D011: {
    where: 'creates.create_lead.name',
    spoil: (d) => {
      field(operation(d, 'creates', 'create_lead').operation.inputFields, 'name').helpText = 'Name.';
    },
  },
  D012: {
    where: 'creates.create_lead',
    spoil: (d) => {
      const create = operation(d, 'creates', 'create_lead').operation;
      create.sample = {};
      create.outputFields = [];
    },
  },
  D013: {
    where: 'creates.move_lead.id',
    spoil: (d) => {
      field(operation(d, 'creates', 'move_lead').operation.inputFields, 'id').search = 'find_nothing.id';
    },
  },
  D014: {
    where: 'creates.create_lead.assignee_ids',
    spoil: (d) => {
      const people = field(operation(d, 'creates', 'create_lead').operation.inputFields, 'assignee_ids');
      people.search = 'find_user.id';
    },
  },
  D015: {
    where: 'searchOrCreates.find_lead',
    spoil: (d) => {
      delete d.creates['create_lead'];
    },
  },
  PAIR: {
    where: 'searchOrCreates.find_company.email',
    spoil: (d) =>
      operation(d, 'searches', 'find_company').operation.inputFields.unshift({
        key: 'email',
        label: 'Email',
      }),
  },
  D016: {
    where: 'triggers.lead_created',
    spoil: (d) => {
      const trigger = operation(d, 'triggers', 'lead_created');
      delete trigger.operation.performSubscribe;
      trigger.operation.inputFields = [];
      Object.assign(d, {
        triggers: { lead_created: trigger },
        creates: {},
        searches: {},
        searchOrCreates: {},
      });
    },
    implies: 'D017',
  },
  D017: {
    where: 'triggers.lead_won',
    spoil: (d) => {
      delete operation(d, 'triggers', 'lead_won').operation.performUnsubscribe;
    },
  },
  D018: {
    where: 'triggers.lead_won (Lead won)',
    spoil: (d) => {
      operation(d, 'triggers', 'lead_won').display.label = 'Lead won';
    },
  },
  D021: {
    where: 'triggers.lead_won',
    spoil: (d) => {
      operation(d, 'triggers', 'lead_won').display.description = 'Triggers whenever a lead is won.';
    },
    implies: 'STYLE',
  },
  D022: {
    where: 'creates.archive_lead',
    spoil: (d) => {
      operation(d, 'creates', 'archive_lead').operation.inputFields = [];
    },
  },
  D023: {
    where: 'triggers.lead_won.note',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['note'] = '2026-10-01T13:05:09';
    },
  },
  D024: {
    where: 'triggers.lead_won.value',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['value'] = '18500';
    },
  },
  D025: {
    where: 'javascript:',
    spoil: (d) => {
      field(operation(d, 'creates', 'create_lead').operation.inputFields, 'name').helpText =
        'See [the help](javascript:alert(1)).';
    },
  },
  D028: {
    where: 'creates.create_invoice',
    spoil: (d) => {
      operation(d, 'creates', 'create_invoice').operation.cleanInputData = true;
    },
  },
  MONEY: {
    where: 'creates.create_order',
    spoil: (d) => {
      operation(d, 'creates', 'create_order').display.description = 'Creates an order.';
    },
  },
  OUTPUT: {
    where: 'triggers.lead_won.surprise',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['surprise'] = 'nobody labelled it';
    },
  },
  RELATED: {
    where: 'triggers.lead_won.company__id',
    spoil: (d) => {
      const { operation: lead } = operation(d, 'triggers', 'lead_won');
      lead.outputFields = lead.outputFields.filter(
        (each) => typeof each === 'string' || each.key !== 'company__name',
      );
      delete Object(lead.sample?.['company']).name;
    },
  },
  COPY: {
    where: 'searchOrCreates.find_lead',
    spoil: (d) => {
      operation(d, 'searches', 'find_lead').operation.inputFields.pop();
    },
  },
  ORDER: {
    where: 'creates.move_lead.stage_id',
    spoil: (d) => {
      const { inputFields } = operation(d, 'creates', 'move_lead').operation;
      inputFields.push(...inputFields.splice(inputFields.indexOf(field(inputFields, 'stage_id')), 1));
    },
  },
  CHOICE: {
    where: 'creates.create_lead.company_id',
    spoil: (d) => {
      const { inputFields } = operation(d, 'creates', 'create_lead').operation;
      inputFields.splice(inputFields.indexOf(field(inputFields, 'company_choice')), 1);
    },
  },
  LINES: {
    where: 'creates.create_invoice.items',
    spoil: (d) => {
      field(operation(d, 'creates', 'create_invoice').operation.inputFields, 'items').required = true;
    },
  },
  LOOKUP: {
    where: 'creates.create_lead.origin_id',
    spoil: (d) => {
      delete field(operation(d, 'creates', 'create_lead').operation.inputFields, 'origin_id').search;
    },
  },
  STYLE: {
    where: 'searches.find_lead',
    spoil: (d) => {
      operation(d, 'searches', 'find_lead').display.description = 'Looks for a lead.';
    },
  },
};

describe('the built definition', () => {
  test.each(Object.entries(variants))(
    'of %s passes every integration check that it alone decides (rules zapier 13 and 16)',
    async (_, variant) => {
      expect(findingsOf(await definitionOf(variant))).toEqual([]);
    },
  );

  test('stands beside a description that passes', () => {
    expect(descriptionFindings(manifest.description)).toEqual([]);
  });

  test('has a seeded fault for every check', () => {
    expect(Object.keys(faults).sort()).toEqual(checks.map(({ code }) => code).sort());
  });
});

describe('an integration check finds its seeded fault, and no other one does (rule zapier 16)', () => {
  test.each(checks.map(({ code, promise }) => [code, promise]))('%s: %s', (code) => {
    const fault = faults[code];
    if (!fault) throw new Error(`no fault for ${code}`);
    const found = findingsOf(faulty(fault.spoil)).map((finding) =>
      finding.slice(0, finding.lastIndexOf(': ')),
    );
    const implied = (finding: string) =>
      fault.implies !== undefined && finding.startsWith(`${fault.implies} `);
    expect(found.filter((finding) => !implied(finding))).toEqual([`${code} ${fault.where}`]);
  });

  test.each([
    ['too short', 'Dealkeep is a CRM.'],
    ['too long', `Dealkeep is a platform of ${'companies, contacts and leads, '.repeat(6)}.`],
    ['about Zapier', 'Dealkeep is a CRM that lets Zapier users keep their companies, contacts and leads.'],
    ['about syncing', 'Dealkeep is a CRM that syncs companies, contacts and leads between applications.'],
    ['not about the app', 'The best CRM that there is for companies, contacts and leads of a business.'],
  ])('M002: a description that is %s', (_, description) => {
    expect(descriptionFindings(description)).toHaveLength(1);
  });
});
