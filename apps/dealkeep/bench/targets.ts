import { type BenchOrganization, wire } from './business.ts';
import type { Target } from './measure.ts';
import type { RunningProcess } from './processes.ts';
import { walk } from './walk.ts';

export const bareHello = (bare: RunningProcess): Target => ({
  processes: [bare],
  requests: ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
});

/** Requests of all organizations in turn. */
export function requestsOf(businesses: readonly BenchOrganization[]) {
  const each = (make: (business: BenchOrganization, index: number) => string): string[] =>
    Array.from({ length: 50 }, (_, index) => businesses.map((business) => make(business, index))).flat();
  return {
    me: each(({ key }) => wire('GET', '/me', key)),
    lead: each(({ key, leads }, index) => wire('GET', `/leads/${leads[index % leads.length]}`, key)),
    list: (limit: number) => each(({ key }) => wire('GET', `/leads?limit=${limit}`, key)),
    create: each(({ key }, index) => wire('POST', '/leads', key, leadBody(index))),
  };
}

/** Pages of all organizations along a walk through their lists: too many to be remembered. */
export async function walkRequests(
  port: number,
  businesses: readonly BenchOrganization[],
): Promise<string[]> {
  const walks = await Promise.all(
    businesses.map(async ({ key }) => {
      const cursors = await walk({ port, key }, { limit: 50, pages: 50 });
      return cursors.map((cursor) => wire('GET', `/leads?limit=50&cursor=${cursor}`, key));
    }),
  );
  const longest = Math.max(...walks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => walks.flatMap((pages) => pages[at] ?? [])).flat();
}

export const leadBody = (index: number) => ({
  name: `Lead ${index}`,
  value: 1500.5,
  note: 'Asked for a call back.',
});
