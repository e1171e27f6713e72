import type { ApiRecord } from '@dealkeep/connectors';
import type { Operation, OutputField } from './definition.ts';
import { isForeignMoment, isKept, leaves } from './output-values.ts';

/** What a trigger gave in a run, and what it gave when it was tested. */
export interface Results {
  readonly live: ApiRecord;
  readonly listed: readonly ApiRecord[];
  /** Those of the definition, what a function adds to them included. */
  readonly outputFields: readonly OutputField[];
}

/** One of Zapier's checks that look at live runs (docs.zapier.com, Integration check reference). */
export interface ResultCheck {
  readonly code: string;
  readonly promise: string;
  /** The keys that break the promise. */
  readonly findings: (trigger: Operation, results: Results) => string[];
}

export const resultChecks: readonly ResultCheck[] = [
  {
    code: 'T003',
    promise: 'dates and times of a run are ISO 8601, times with their zone',
    findings: (_, { live }) =>
      leaves(live)
        .filter(({ value }) => isForeignMoment(value))
        .map(({ key }) => key),
  },
  {
    code: 'T004',
    promise: 'a run has every key that the sample has',
    findings: ({ operation: { sample } }, { live }) => missingIn(live, sample),
  },
  {
    code: 'T005',
    promise: 'a run has the values that the output fields declare',
    findings: (_, { live, outputFields }) => brokenIn(live, outputFields),
  },
  {
    code: 'T006',
    promise: 'a run has every key that a test of the trigger showed',
    findings: (_, { live, listed }) => listed.flatMap((each) => missingIn(live, each)),
  },
  {
    code: 'Z001',
    promise: 'a test of the trigger shows the values that the output fields declare',
    findings: (_, { listed, outputFields }) => listed.flatMap((each) => brokenIn(each, outputFields)),
  },
];

/** What is wrong with the results of a trigger, one line each: `T004 lead_won.value: a run has …`. */
export const resultFindings = (trigger: Operation, results: Results): string[] =>
  resultChecks.flatMap(({ code, promise, findings }) =>
    findings(trigger, results).map((key) => `${code} ${trigger.key}.${key}: ${promise}`),
  );

const brokenIn = (output: ApiRecord, fields: readonly OutputField[]): string[] =>
  fields.filter((field) => !isKept(field, output)).map(({ key }) => key);

/** The keys of one output that another lacks; what is empty in one has no keys below it to compare. */
function missingIn(output: ApiRecord, expected: unknown): string[] {
  const keys = leaves(output).map(({ key }) => key);
  const empty = leaves(output).filter(({ value }) => isEmpty(value));
  const isThere = (wanted: string) =>
    keys.includes(wanted) || empty.some(({ key }) => wanted.startsWith(`${key}[]`));
  return leaves(expected)
    .filter(({ key, value }) => !isThere(key) && !(isEmpty(value) && keys.some((each) => isBelow(each, key))))
    .map(({ key }) => key);
}

const isBelow = (key: string, parent: string): boolean =>
  key.startsWith(`${parent}[]`) || key.startsWith(`${parent}__`);
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
