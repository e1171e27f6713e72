import { describe, expect, test } from 'vitest';
import { appHandler } from '../src/app-handler.ts';
import { checks, Definition, descriptionFindings, findingsOf } from '../src/checks/index.ts';
import { apiKey, integration } from '../src/index.ts';

const built = (await appHandler(integration(apiKey))({ command: 'definition', calledFromCli: true })).results;

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

/** For each check a fault that it must find, and where. */
const faults: Record<string, { where: string; spoil: (definition: Definition) => void }> = {
  D001: {
    where: 'creates.create_lead.api_key',
    spoil: (d) => operation(d, 'creates', 'create_lead').operation.inputFields.push({ key: 'api_key' }),
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
      d.authentication.connectionLabel = 'Dealkeep';
    },
  },
  D004: {
    where: 'creates.move_lead.stage_id',
    spoil: (d) => {
      delete field(operation(d, 'creates', 'move_lead').operation.inputFields, 'stage_id').dynamic;
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
      operation(d, 'creates', 'create_lead').display.description = 'Posts to `http://crm.example.com`.';
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
      delete sampleOf(d, 'lead_won')['id'];
    },
  },
  D011: {
    where: 'creates.create_lead.name',
    spoil: (d) => {
      field(operation(d, 'creates', 'create_lead').operation.inputFields, 'name').helpText = 'name.';
    },
  },
  D012: {
    where: 'creates.create_lead',
    spoil: (d) => {
      operation(d, 'creates', 'create_lead').operation.sample = {};
    },
  },
  D013: {
    where: 'creates.move_lead.id',
    spoil: (d) => {
      field(operation(d, 'creates', 'move_lead').operation.inputFields, 'id').search = 'find_nothing.id';
    },
  },
  D014: {
    where: 'creates.move_lead.id',
    spoil: (d) => {
      delete field(operation(d, 'creates', 'move_lead').operation.inputFields, 'id').dynamic;
    },
  },
  D015: {
    where: 'searchOrCreates.find_lead',
    spoil: (d) => {
      delete d.creates['create_lead'];
    },
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
      operation(d, 'triggers', 'lead_won').display.description = 'A lead was won';
    },
  },
  D022: {
    where: 'creates.archive_lead',
    spoil: (d) => {
      operation(d, 'creates', 'archive_lead').operation.inputFields = [];
    },
  },
  D023: {
    where: 'triggers.lead_won.created_at',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['created_at'] = '2026-10-01T13:05:09';
    },
  },
  D024: {
    where: 'triggers.lead_won.value',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['value'] = '18500';
    },
  },
  OUTPUT: {
    where: 'triggers.lead_won.surprise',
    spoil: (d) => {
      sampleOf(d, 'lead_won')['surprise'] = 'nobody labelled it';
    },
  },
};

describe('the built definition', () => {
  test('passes every integration check that it alone decides', () => {
    expect(findingsOf(built)).toEqual([]);
  });

  test('has a seeded fault for every check', () => {
    expect(Object.keys(faults).sort()).toEqual(checks.map(({ code }) => code).sort());
  });
});

describe('an integration check finds its seeded fault', () => {
  test.each(checks.map(({ code, promise }) => [code, promise]))('%s: %s', (code) => {
    const fault = faults[code];
    if (!fault) throw new Error(`no fault for ${code}`);
    const found = findingsOf(faulty(fault.spoil)).filter((finding) => finding.startsWith(`${code} `));
    expect(found.map((finding) => finding.slice(code.length + 1, finding.lastIndexOf(': ')))).toContain(
      fault.where,
    );
  });

  test.each([
    ['too short', 'A CRM.'],
    ['too long', 'Companies, contacts and leads. '.repeat(6)],
    ['about Zapier', 'Dealkeep lets Zapier users keep their companies, contacts and leads.'],
  ])('M002: a description that is %s', (_, description) => {
    expect(descriptionFindings(description)).toHaveLength(1);
  });
});
