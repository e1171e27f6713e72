import { expect } from 'vitest';

/** One series of the text with its value; histograms have one for each `_bucket`, `_sum` and `_count`. */
export type Samples = ReadonlyMap<string, number>;

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const labelPair = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const header = new RegExp(`^# (HELP|TYPE) (${metricName}) (.+)$`);
const sample = new RegExp(
  `^(${metricName})(\\{${labelPair}(?:,${labelPair})*\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|\\+Inf|-Inf|NaN)$`,
);

/**
 * Reads Prometheus' text format as strictly as its description says (version 0.0.4): every family has HELP and TYPE
 * before its samples, no series comes twice, and the buckets of a histogram add up.
 */
export function parseExposition(text: string): Samples {
  expect(text.endsWith('\n')).toBe(true);
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, family = '', rest = ''] = header.exec(line) ?? [];
    if (kind === 'HELP') {
      expect(helps, line).not.toContain(family);
      helps.add(family);
    } else if (kind === 'TYPE') {
      expect(types.has(family), line).toBe(false);
      expect(['counter', 'gauge', 'histogram', 'summary'], line).toContain(rest);
      types.set(family, rest);
    } else {
      const [series = '', name = '', labels = '', value = ''] = sample.exec(line) ?? [];
      expect(series, `a line that is none: ${line}`).not.toBe('');
      const owner = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
      expect(types.has(owner) && helps.has(owner), line).toBe(true);
      expect(samples.has(name + labels), `twice: ${line}`).toBe(false);
      samples.set(name + labels, Number(value.replace('Inf', 'Infinity')));
    }
  }
  for (const [family, type] of types) if (type === 'histogram') checkBuckets(family, samples);
  return samples;
}

function checkBuckets(family: string, samples: Samples): void {
  const groups = Map.groupBy(
    [...samples].filter(([series]) => series.startsWith(`${family}_bucket{`)),
    ([series]) => series.replace(/le="[^"]*",?/, '').replace(/,?\}$/, '}'),
  );
  for (const [group, buckets] of groups) {
    const values = buckets.map(([, value]) => value);
    expect(values, group).toEqual(values.toSorted((a, b) => a - b));
    const labels = group.slice(`${family}_bucket`.length).replace('{}', '');
    expect(buckets.at(-1)?.[0], group).toContain('le="+Inf"');
    expect(samples.get(`${family}_count${labels}`), group).toBe(values.at(-1));
    expect(samples.has(`${family}_sum${labels}`), group).toBe(true);
  }
}
