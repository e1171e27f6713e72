import * as z from 'zod';
import type { InputField } from '../../bin/checks/definition.ts';
import { inputFieldsOf } from '../platform/input-fields-of.ts';
import { list, type Setting, type Values } from '../platform/setting.ts';
import type { Filled } from './read-recipes.ts';

/** The value that "Insert data" puts in place of `{{2. Name}}`. */
export type Inserted = (step: number, label: string) => unknown;

/**
 * What a step's form holds after the page was followed: inserted data, chosen labels, typed text, by key. The form
 * is that of the editor, which shows other fields after a choice on which they depend.
 */
export async function filledIn(
  setting: Setting,
  where: string,
  fields: readonly Filled[],
  inserted: Inserted,
): Promise<Values> {
  const input: Record<string, unknown> = {};
  const columns: Record<string, Record<string, unknown>> = {};
  const shown = () => inputFieldsOf(setting.platform, setting.connection, where, input);
  let form = await shown();
  for (const [label, value] of fields) {
    const [first = '', second] = label.split(', ');
    if (!form.some((field) => field.label === first)) form = await shown();
    const field = named(form, first, where);
    if (second === undefined) {
      input[field.key] = await fieldValue(setting, field, value, input, inserted);
      continue;
    }
    const child = named(field.children ?? [], second, where);
    columns[field.key] = { ...columns[field.key], [child.key]: insertedIn(value, inserted) };
  }
  for (const [key, column] of Object.entries(columns)) input[key] = lines(column);
  return input;
}

function named<Field extends { key: string; label?: string | undefined }>(
  fields: readonly Field[],
  label: string,
  operation: string,
): Field {
  const found = fields.find((field) => field.label === label);
  if (!found) throw new Error(`${operation} has no field "${label}".`);
  return found;
}

async function fieldValue(
  setting: Setting,
  field: InputField,
  text: string,
  input: Values,
  inserted: Inserted,
): Promise<unknown> {
  if (text.includes('{{')) return insertedIn(text, inserted);
  const chosen = field['choices'] ? keyOfChoice(field, text) : text;
  const takesNewNames = field.dynamic?.endsWith('.name.name') === true;
  if (field.dynamic === undefined || takesNewNames) return field.list ? [chosen] : chosen;
  const trigger = `triggers.${field.dynamic.split('.')[0]}`;
  const offered = await list(setting, trigger, input, { page: 0 });
  const choice = offered.find(({ name }) => name === text);
  if (!choice) throw new Error(`"${text}" is not offered for ${field.label}.`);
  return choice['id'];
}

const Choices = z.record(z.string(), z.string());

function keyOfChoice({ choices, label }: InputField, text: string): string {
  const found = Object.entries(Choices.parse(choices)).find(([, name]) => name === text);
  if (!found) throw new Error(`${label} has no choice "${text}".`);
  return found[0];
}

/** A field that is one insertion takes its value as it is; among other words it becomes text. */
function insertedIn(text: string, inserted: Inserted): unknown {
  const whole = text.match(/^\{\{(\d+)\. ([^{}]+)\}\}$/);
  if (whole) return inserted(Number(whole[1]), whole[2] ?? '');
  return text.replaceAll(/\{\{(\d+)\. (.+?)\}\}/g, (_, step: string, label: string) =>
    String(inserted(Number(step), label) ?? ''),
  );
}

/** Line items: as many lines as the longest column has; a single value stands in each of them. */
function lines(columns: Readonly<Record<string, unknown>>): Values[] {
  const lengths = Object.values(columns).map((column) => (Array.isArray(column) ? column.length : 1));
  return Array.from({ length: Math.max(...lengths) }, (_, line) =>
    Object.fromEntries(
      Object.entries(columns).map(([key, column]) => [key, Array.isArray(column) ? column[line] : column]),
    ),
  );
}
