/** What `dependency-cruiser` says of a file in its JSON, as far as it is needed here. */
export interface CruisedModule {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

/** A folder on a floor of core, or a file beside them: `packages/core/src/records/leads`. */
const roomOf = (path: string): string | undefined => /^packages\/core\/src\/[^/]+\/[^/]+/.exec(path)?.[0];

/**
 * Rooms of core that stand in a circle, in its order; undefined where none do. Arrows within a room do not count.
 */
export function circleOfRooms(modules: readonly CruisedModule[]): readonly string[] | undefined {
  const arrows = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = roomOf(source);
    if (from === undefined) continue;
    const rooms = dependencies.map(({ resolved }) => roomOf(resolved)).filter((to) => to !== undefined);
    arrows.set(from, new Set([...(arrows.get(from) ?? []), ...rooms]));
  }
  const good = new Set<string>();
  const circleFrom = (room: string, way: readonly string[]): readonly string[] | undefined => {
    if (good.has(room)) return undefined;
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room];
    for (const next of arrows.get(room) ?? []) {
      const circle = next === room ? undefined : circleFrom(next, [...way, room]);
      if (circle) return circle;
    }
    good.add(room);
    return undefined;
  };
  for (const room of arrows.keys()) {
    const circle = circleFrom(room, []);
    if (circle) return circle;
  }
  return undefined;
}
