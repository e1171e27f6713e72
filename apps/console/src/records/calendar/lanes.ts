/** Quarters of an hour of a day, counted from its midnight; the end is not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const quartersOfDay = 96;
/** What is shorter is drawn as high as this, so that it can be read and pressed. */
const leastQuarters = 2;
/** So many stand beside each other; of more only some are drawn, and the rest is counted. */
const mostLanes = 4;

/** Where something stands among those at the same time: the lane from 1 on, of so many. */
export type Placed<Held> = Span & { readonly held: Held; readonly lane: number; readonly lanes: number };

/** Those that have no lane, because too many are at the same time. */
export type Further = Span & { readonly count: number; readonly lanes: number };

/** Puts what overlaps beside each other. Those that begin first come first. */
export function inLanes<Held>(all: readonly (Span & { readonly held: Held })[]): {
  placed: Placed<Held>[];
  further: Further[];
} {
  const spans = all
    .map(({ held, from, to }) => {
      const start = Math.min(from, quartersOfDay - leastQuarters);
      return { held, from: start, to: Math.max(to, start + leastQuarters) };
    })
    .toSorted((a, b) => a.from - b.from || b.to - a.to);
  const placed: Placed<Held>[] = [];
  const further: Further[] = [];
  for (const group of groupsOf(spans)) {
    const ends: number[] = [];
    const lanesOf = group.map(({ from, to }) => {
      const free = ends.findIndex((end) => end <= from);
      const lane = free === -1 ? ends.length : free;
      ends[lane] = to;
      return lane;
    });
    const isCrowded = ends.length > mostLanes;
    const lanes = Math.min(ends.length, mostLanes);
    const shown = isCrowded ? mostLanes - 1 : lanes;
    const rest = group.filter((_, at) => (lanesOf[at] ?? 0) >= shown);
    for (const [at, span] of group.entries()) {
      const lane = lanesOf[at] ?? 0;
      if (lane < shown) placed.push({ ...span, lane: lane + 1, lanes });
    }
    const [first] = rest;
    if (first)
      further.push({
        from: first.from,
        to: Math.max(...rest.map(({ to }) => to)),
        count: rest.length,
        lanes,
      });
  }
  return { placed, further };
}

/** Spans that overlap, directly or through others. */
function groupsOf<Each extends Span>(sorted: readonly Each[]): Each[][] {
  const groups: Each[][] = [];
  let end = -1;
  for (const span of sorted) {
    const group = span.from < end ? groups.at(-1) : undefined;
    if (group) group.push(span);
    else groups.push([span]);
    end = Math.max(group ? end : -1, span.to);
  }
  return groups;
}
