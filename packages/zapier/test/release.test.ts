import { describe, expect, test } from 'vitest';
import { releaseFindings } from '../bin/release/release-findings.ts';
import { nextRelease, readChangelog, releasedDefinition } from '../bin/release/released.ts';
import type { Release } from '../bin/release/surface.ts';
import { apiKey, variants } from '../src/index.ts';

const changelog = '# Changelog\n\n## 2.0.0\n\n## 1.3.0\n\n## 1.2.4\n\n## 1.2.3\n';
const current = await nextRelease(apiKey);

describe('the definition may follow the released one (rule zapier 17)', () => {
  test.each(Object.entries(variants))('of %s', async (name, variant) => {
    const released = await releasedDefinition(name);
    expect(released, 'npm run release:definition was not run yet').toBeDefined();
    expect(releaseFindings(released, await nextRelease(variant), await readChangelog())).toEqual([]);
  });
});

/** The released version 1.2.3 after a change, as another version. */
const changed = (version: string, change: (surface: Release['surface']) => void): Release => {
  const surface = structuredClone(current.surface);
  change(surface);
  return { version, surface };
};
const found = (version: string, change: (surface: Release['surface']) => void) =>
  releaseFindings({ ...current, version: '1.2.3' }, changed(version, change), changelog);

function of<Value>(entries: Record<string, Value>, key: string): Value {
  const value = entries[key];
  if (value === undefined) throw new Error(`There is no ${key}.`);
  return value;
}

const breaks: Record<string, [where: string, change: (surface: Release['surface']) => void]> = {
  'a removed trigger': ['triggers.lead_won: is gone', (s) => delete s.triggers['lead_won']],
  'a removed action': ['creates.move_lead: is gone', (s) => delete s.creates['move_lead']],
  'a removed search': ['searches.find_user: is gone', (s) => delete s.searches['find_user']],
  'a removed pair': ['searchOrCreates.find_lead: is gone', (s) => delete s.searchOrCreates['find_lead']],
  'a pair of other steps': [
    'searchOrCreates.find_lead: joins find_lead, create_company instead of find_lead, create_lead',
    (s) => {
      s.searchOrCreates['find_lead'] = 'find_lead, create_company';
    },
  ],
  'a hidden step': [
    'creates.move_lead: is hidden',
    (s) => {
      of(s.creates, 'move_lead').hidden = true;
    },
  ],
  'another kind of trigger': [
    'triggers.lead_won: hook became polling',
    (s) => {
      of(s.triggers, 'lead_won').type = 'polling';
    },
  ],
  'another way to connect': [
    'authentication: custom became oauth2',
    (s) => {
      s.authentication.type = 'oauth2';
    },
  ],
  'a removed field of the connection': [
    'authentication.base_url: is gone',
    (s) => delete s.authentication.fields['base_url'],
  ],
  'a new required field of the connection': [
    'authentication.region: a new field is required',
    (s) => {
      s.authentication.fields['region'] = 'string, required';
    },
  ],
  'a removed field of a form': [
    'creates.create_lead.inputs.value: is gone',
    (s) => delete of(s.creates, 'create_lead').inputs['value'],
  ],
  'a removed field of line items': [
    'creates.create_invoice.inputs.items__unit: is gone',
    (s) => delete of(s.creates, 'create_invoice').inputs['items__unit'],
  ],
  'another type of a field': [
    'creates.create_lead.inputs.value: number became string',
    (s) => {
      of(s.creates, 'create_lead').inputs['value'] = 'string';
    },
  ],
  'one value instead of several': [
    'creates.create_lead.inputs.assignee_ids: string[] became string',
    (s) => {
      of(s.creates, 'create_lead').inputs['assignee_ids'] = 'string';
    },
  ],
  'a new required field': [
    'searches.find_lead.inputs.year: a new field is required',
    (s) => {
      of(s.searches, 'find_lead').inputs['year'] = 'integer, required';
    },
  ],
  'a field that becomes required': [
    'creates.create_lead.inputs.name: became required',
    (s) => {
      of(s.creates, 'create_lead').inputs['name'] = 'string, required';
    },
  ],
  'a removed choice': [
    'creates.create_task.inputs.priority: the choice low is gone',
    (s) => {
      of(s.creates, 'create_task').inputs['priority'] = 'string: normal | high';
    },
  ],
  'choices where any value was taken': [
    'creates.create_lead.inputs.name: takes chosen values only',
    (s) => {
      of(s.creates, 'create_lead').inputs['name'] = 'string: one | two';
    },
  ],
  'a removed output': [
    'triggers.order_created.outputs.items[]sku: is gone',
    (s) => delete of(s.triggers, 'order_created').outputs['items[]sku'],
  ],
  'another type of an output': [
    'triggers.lead_won.outputs.value: number became string',
    (s) => {
      of(s.triggers, 'lead_won').outputs['value'] = 'string';
    },
  ],
};

describe('a change that breaks Zaps is refused without a new major version (rule zapier 17)', () => {
  test.each(Object.entries(breaks))('%s', (_, [where, change]) => {
    for (const version of ['1.2.3', '1.2.4', '1.3.0']) expect(found(version, change)).toContain(where);
    expect(found('2.0.0', change)).toEqual([]);
  });
});

const additions: Record<string, [where: string, change: (surface: Release['surface']) => void]> = {
  'a new trigger': [
    'triggers.lead_reopened: is new',
    (s) => {
      s.triggers['lead_reopened'] = of(s.triggers, 'lead_won');
    },
  ],
  'a step that is shown': [
    'triggers.list_users: is shown',
    (s) => delete of(s.triggers, 'list_users').hidden,
  ],
  'a new optional field': [
    'creates.create_lead.inputs.website: is new',
    (s) => {
      of(s.creates, 'create_lead').inputs['website'] = 'string';
    },
  ],
  'a field that is no longer required': [
    'creates.create_company.inputs.name: is no longer required',
    (s) => {
      of(s.creates, 'create_company').inputs['name'] = 'string';
    },
  ],
  'a new choice': [
    'creates.create_task.inputs.priority: the choice urgent is new',
    (s) => {
      of(s.creates, 'create_task').inputs['priority'] += ' | urgent';
    },
  ],
  'any value where one was chosen': [
    'creates.create_task.inputs.priority: takes any value',
    (s) => {
      of(s.creates, 'create_task').inputs['priority'] = 'string';
    },
  ],
  'a new output': [
    'triggers.lead_won.outputs.website: is new',
    (s) => {
      of(s.triggers, 'lead_won').outputs['website'] = 'string';
    },
  ],
};

describe('what is new is refused without a new minor version', () => {
  test.each(Object.entries(additions))('%s', (_, [where, change]) => {
    for (const version of ['1.2.3', '1.2.4']) expect(found(version, change)).toContain(where);
    for (const version of ['1.3.0', '2.0.0']) expect(found(version, change)).toEqual([]);
  });
});

describe('a version', () => {
  test('in which nothing changed for Zaps may be a patch, or the same', () => {
    for (const version of ['1.2.3', '1.2.4', '1.3.0', '2.0.0']) expect(found(version, () => {})).toEqual([]);
  });

  test('that is older than the released one is refused', () => {
    const older = releaseFindings(
      { ...current, version: '1.2.4' },
      { ...current, version: '1.2.3' },
      changelog,
    );
    expect(older).toEqual(['1.2.3 is older than 1.2.4, which is released.']);
  });

  test('without an entry in the changelog is refused, also the first one', () => {
    const missing = 'CHANGELOG.md has no entry "## 1.4.0" that tells users what changed.';
    expect(found('1.4.0', () => {})).toEqual([missing]);
    expect(releaseFindings(undefined, { ...current, version: '1.4.0' }, changelog)).toEqual([missing]);
  });
});
