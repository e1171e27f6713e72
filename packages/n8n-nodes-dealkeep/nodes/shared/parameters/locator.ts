import { ParameterProblem } from '../failure.ts';
import { isRecord, type JsonRecord } from '../record.ts';

const idInText = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** How n8n wraps a chosen record. */
export const isLocator = (value: unknown): value is JsonRecord => isRecord(value) && 'mode' in value;

/**
 * The id that a resource locator holds: chosen from the list, typed, or taken from the address of a record.
 * Undefined when it is empty.
 *
 * @throws {ParameterProblem} when an address holds no id, or an expression gave something that is no text
 */
export function idOf(value: unknown, label: string): string | undefined {
  const chosen = isLocator(value) ? value['value'] : value;
  if (chosen === undefined || chosen === null || chosen === '') return undefined;
  if (typeof chosen !== 'string') {
    throw new ParameterProblem(
      `${label}: an ID is a text, but the expression gives ${kindOf(chosen)}`,
      'Choose the record from the list, or let the expression give its ID, e.g. {{ $json.id }}.',
    );
  }
  const text = chosen.trim();
  if (!isRecord(value) || value['mode'] !== 'url') return text === '' ? undefined : text;
  const found = text.match(idInText)?.at(-1);
  if (found === undefined) {
    throw new ParameterProblem(
      `${label}: this address names no record`,
      'Paste the address of the record as the browser shows it; it ends with the ID.',
    );
  }
  return found.toLowerCase();
}

/** A value's kind in the words of people who write expressions. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
