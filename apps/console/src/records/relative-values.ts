import { type FieldFacts, type Language, type Text, text } from '@dealkeep/contract';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Choice } from '../forms/choices.ts';
import type { Typed } from '../forms/typed.ts';
import { todayOf } from '../values/local-time.ts';

/** Whoever looks, in a filter by a user. */
const me = 'me';
const meText = text('me', 'ja');

interface RelativeDay {
  readonly label: Text;
  /** The day itself, where this is the first of the month. */
  dayOf(today: Date): Date;
}

const day = (from: Date, days: number): Date =>
  new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + days));
const dayOfMonth = (from: Date, months: number, date: number): Date =>
  new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, date));

/** Days that are others tomorrow, by what stands for them in an address. */
const relativeDays: Readonly<Record<string, RelativeDay>> = {
  yesterday: { label: text('yesterday', 'včera'), dayOf: (today) => day(today, -1) },
  today: { label: text('today', 'dnes'), dayOf: (today) => today },
  tomorrow: { label: text('tomorrow', 'zajtra'), dayOf: (today) => day(today, 1) },
  'in-7-days': { label: text('in 7 days', 'o 7 dní'), dayOf: (today) => day(today, 7) },
  'end-of-last-month': {
    label: text('the end of last month', 'koniec minulého mesiaca'),
    dayOf: (today) => dayOfMonth(today, 0, 0),
  },
  'start-of-next-month': {
    label: text('the start of next month', 'začiatok budúceho mesiaca'),
    dayOf: (today) => dayOfMonth(today, 1, 1),
  },
};

const relativeDay = ({ format }: FieldFacts, value: string): RelativeDay | undefined =>
  (format === 'date' || format === 'date-time') && Object.hasOwn(relativeDays, value)
    ? relativeDays[value]
    : undefined;

const isMe = ({ reference }: FieldFacts, value: string): boolean => reference === 'user' && value === me;

/** What a filter of an address says for itself, such as `today`; undefined for what stays the same every day. */
export function relativeText(field: FieldFacts, value: string): Text | undefined {
  return isMe(field, value) ? meText : relativeDay(field, value)?.label;
}

/** A filter by a day as a choice of days that are others tomorrow. */
export const amongRelativeDays = (field: FieldFacts): FieldFacts => ({
  ...field,
  values: Object.keys(relativeDays),
  description: {
    label: text(field.name, field.name),
    ...field.description,
    choices: Object.fromEntries(Object.entries(relativeDays).map(([value, { label }]) => [value, label])),
  },
});

/** Whoever looks, as one of the people that a filter offers. */
export const meAmong = (language: Language): Choice => ({ id: me, name: meText[language] });

/**
 * The filters of an address with what they mean now: who `me` is, which day `today` is where the organization is. So
 * an address that is kept for long, such as that of a view, means the same of each day and of each user.
 */
export function withRelativeValues(c: ConsoleContext, filters: readonly FieldFacts[], asked: Typed): Typed {
  const { user } = sessionOf(c);
  const today = new Date(`${todayOf(c)}T00:00Z`);
  const meaningOf = (field: FieldFacts, value: string): string => {
    if (field.reference === 'user') {
      return value
        .split(',')
        .map((each) => (isMe(field, each) ? user.id : each))
        .join(',');
    }
    const relative = relativeDay(field, value);
    if (!relative) return value;
    const date = relative.dayOf(today).toISOString().slice(0, 10);
    if (field.format === 'date') return date;
    // After a day is after its end.
    return `${date}T${field.name.endsWith('_after') ? '23:59' : '00:00'}`;
  };
  const fields = new Map(filters.map((field) => [field.name, field]));
  return new Map(
    [...asked].map(([name, values]) => {
      const field = fields.get(name);
      return [name, field ? values.map((value) => meaningOf(field, value)) : values];
    }),
  );
}
