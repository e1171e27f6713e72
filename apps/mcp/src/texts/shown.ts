import { cut, visible } from './visible.ts';

/** How much is shown of what a record holds. */
export interface Measure {
  /** Characters of a text. */
  readonly text: number;
  /** Entries of a list or a dictionary inside it. */
  readonly entries: number;
}

type Shown = string | number | boolean | Shown[] | { [name: string]: Shown };

/** A value of a record as a model is shown it: nothing empty, no sign that nobody sees, long texts cut. */
export function shown(value: unknown, measure: Measure): Shown | undefined {
  if (typeof value === 'string') return cut(visible(value), measure.text);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    return value.slice(0, measure.entries).flatMap((each) => shown(each, measure) ?? []);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, measure.entries)
      .flatMap(([name, each]): [string, Shown][] => {
        const told = shown(each, measure);
        return told === undefined ? [] : [[visible(name), told]];
      }),
  );
}

/** The fields of a record as a model is shown them. */
export function shownFields(record: unknown, measure: Measure): Record<string, Shown> {
  const fields = shown(record, measure);
  return typeof fields === 'object' && !Array.isArray(fields) ? fields : {};
}
