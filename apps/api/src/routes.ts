import { type OperationId, operationIds, operations } from '@dealkeep/contract';

/** The operation that a request means, and the values in its path. */
export interface Route {
  readonly id: OperationId;
  readonly path: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly id: OperationId;
  readonly segments: readonly string[];
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);
const isName = (segment: string): boolean => segment.startsWith('{');

/** By method and path where no segment varies; the others by method, first segment and number of segments. */
const fixed = new Map<string, Route>();
const varying = new Map<string, Pattern[]>();
for (const id of operationIds) {
  const { method, path } = operations[id];
  const segments = segmentsOf(path);
  if (!segments.some(isName)) {
    fixed.set(`${method} ${path}`, { id, path: {} });
    continue;
  }
  const group = groupOf(method, segments);
  varying.set(group, [...(varying.get(group) ?? []), { id, segments }]);
}

function groupOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments[0]} ${segments.length}`;
}

/** Finds the operation of a method and a path below the API root, undefined when there is none. */
export function findRoute(method: string, path: string): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = fixed.get(`${wanted} ${path}`);
  if (found) return found;
  const segments = segmentsOf(path);
  for (const { id, segments: pattern } of varying.get(groupOf(wanted, segments)) ?? []) {
    if (pattern.every((segment, at) => (isName(segment) ? segments[at] !== '' : segment === segments[at]))) {
      const values = pattern.flatMap((segment, at) =>
        isName(segment) ? [[segment.slice(1, -1), decoded(segments[at] ?? '')] as const] : [],
      );
      return { id, path: Object.fromEntries(values) };
    }
  }
  return undefined;
}

/** A segment without its percent-encoding; as it came where that is broken. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
