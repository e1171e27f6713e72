import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { piece } from './platform.ts';

const folder = inject('pieceFolder');
const steps = [...Object.values(piece.actions()), ...Object.values(piece.triggers())];
const propertiesOf = ({ props }: { readonly props: object }) =>
  Object.entries(props).map(([key, value]) => [key, Object(value)] as const);

describe('the packed piece (rule activepieces 9)', () => {
  test('is installed alone and loads in a process of its own', async () => {
    const published = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(published).toMatchObject({
      name: manifest.name,
      version: manifest.version,
      main: './src/index.js',
    });
    expect(published.dependencies).toBeUndefined();
    expect(published.private).toBeUndefined();
    const script = `require(${JSON.stringify(manifest.name)})`;
    execFileSync(process.execPath, ['-e', script], { cwd: join(folder, '..', '..', '..') });
    // Beside npm's own note of what it has installed there is nothing else.
    const installed = await readdir(join(folder, '..', '..'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@dealkeep']);
  });

  test('is no larger than the platform takes without a warning', async () => {
    expect((await stat(join(folder, 'src', 'index.js'))).size).toBeLessThan(3 * 1024 * 1024);
  });

  test('requires nothing but what comes with Node', async () => {
    const source = await readFile(join(folder, 'src', 'index.js'), 'utf8');
    const required = [...source.matchAll(/\brequire\((["'`])([^"'`]+)\1\)/g)].map(([, , name = '']) => name);
    const { builtinModules } = await import('node:module');
    expect(required.filter((name) => !builtinModules.includes(name.replace('node:', '')))).toEqual([]);
  });

  test('brings its texts for translators, each under itself', async () => {
    const texts = JSON.parse(await readFile(join(folder, 'src', 'i18n', 'translation.json'), 'utf8'));
    expect(Object.entries(texts).filter(([key, text]) => key !== text)).toEqual([]);
    expect(texts).toHaveProperty(['Create Lead']);
    expect(texts).toHaveProperty(['Service Address']);
  });
});

// As https://www.activepieces.com/docs/build-pieces documents it, and the notes on pieces in the platform's own
// repository.
describe('what the platform asks of a piece', () => {
  test('a name, a description, a category and a logo at an https address', () => {
    const { displayName, description, categories, logoUrl, authors } = piece.metadata();
    expect({ displayName, categories }).toEqual({ displayName: 'Dealkeep', categories: ['SALES_AND_CRM'] });
    expect(description.length).toBeGreaterThan(40);
    expect(logoUrl).toMatch(/^https:\/\/.+\.png$/);
    expect(authors).toHaveLength(1);
  });

  test('names of steps are unique, in snake case, and shown in Title Case', () => {
    const small = new Set(['a', 'an', 'and', 'as', 'by', 'for', 'in', 'of', 'on', 'or', 'the', 'to']);
    const names = steps.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, displayName } of steps) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      const words = displayName.split(' ').filter((word) => !small.has(word));
      expect(words.filter((word) => !/^[A-Z]/.test(word))).toEqual([]);
    }
  });

  test('each step is described in a sentence, and triggers begin with "Triggers when"', () => {
    for (const { name, description } of steps.filter(({ name: each }) => each !== 'custom_api_call')) {
      expect(description, name).toMatch(/^[A-Z].*\.$/);
    }
    for (const { name, description } of Object.values(piece.triggers())) {
      expect(description, name).toMatch(/^Triggers when /);
    }
  });

  test('each trigger tells agents what starts it, and by what it can be limited (rule activepieces 11)', () => {
    for (const { name, aiMetadata } of Object.values(piece.triggers())) {
      expect(aiMetadata?.description, name).toMatch(/^Triggers when .*Starts the flow once for each.*\.$/);
    }
    expect(piece.getTrigger('lead_won')?.aiMetadata?.description).toMatch(/Can be limited by .*Pipeline/);
  });

  test('no two actions tell agents the same (rule activepieces 11)', () => {
    const told = Object.values(piece.actions()).flatMap(({ aiMetadata }) => aiMetadata?.description ?? []);
    expect(told.filter((each, index) => told.indexOf(each) !== index)).toEqual([]);
  });

  test('each action tells agents what it does, and whether it can be repeated (rule activepieces 11)', () => {
    const own = Object.values(piece.actions()).filter(({ name }) => name !== 'custom_api_call');
    for (const { name, aiMetadata } of own) {
      expect(aiMetadata?.description, name).toMatch(/^[A-Z].*\.$/);
      expect(typeof aiMetadata?.idempotent, name).toBe('boolean');
    }
  });

  test('each step says what its output holds, and each trigger has a sample of it', () => {
    for (const { name, outputSchema } of steps.filter(({ name: each }) => each !== 'custom_api_call')) {
      expect(outputSchema?.fields.length, name).toBeGreaterThan(0);
    }
    for (const { name, sampleData } of Object.values(piece.triggers())) {
      expect(Object.keys(Object(sampleData)), name).toContain('event_id');
    }
  });

  test('each property has a label, and what depends on another names one that is there', () => {
    for (const { name, props } of steps.filter(({ name: each }) => each !== 'custom_api_call')) {
      for (const [key, property] of propertiesOf({ props })) {
        expect(property.displayName, `${name}.${key}`).toMatch(/^[A-Z]/);
      }
    }
    const unknown = steps.flatMap(({ name, props }) =>
      propertiesOf({ props }).flatMap(([key, { refreshers = [] }]) =>
        refreshers
          .filter((each: string) => !(each in props))
          .map((each: string) => `${name}.${key}: ${each}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  test('a boolean is chosen from Yes and No, and a date is a text (rule activepieces 4)', () => {
    const own = steps.filter(({ name }) => name !== 'custom_api_call');
    const properties = own.flatMap(({ props }) => propertiesOf({ props }));
    expect(properties.filter(([, { type }]) => type === 'CHECKBOX')).toEqual([]);
    const isPrimary = Object(piece.getAction('create_contact')?.props['is_primary']);
    expect(isPrimary).toMatchObject({
      type: 'STATIC_DROPDOWN',
      options: {
        options: [
          { label: 'Yes', value: true },
          { label: 'No', value: false },
        ],
      },
    });
    const days = properties.filter(([key]) => /(^|_)date$/.test(key));
    expect(days.length).toBeGreaterThan(0);
    for (const [key, { type }] of days) expect(type, key).toBe('SHORT_TEXT');
  });

  test('nobody types an id: whatever names a record is a dropdown (rule connectors 4)', () => {
    const typed = steps.flatMap(({ name, props }) =>
      propertiesOf({ props })
        .filter(([key, { type }]) => /(^|_)(id|uuid|ids)$/.test(key) && !/DROPDOWN/.test(type))
        .map(([key]) => `${name}.${key}`),
    );
    const texts = /\.(customer__)?(external_id|registration_id|tax_id|vat_id|company__registration_id)$/;
    expect(typed.filter((each) => !texts.test(each))).toEqual([]);
  });
});
