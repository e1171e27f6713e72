import { connect } from '@dealkeep/core/foundations';
import type { ApiClient } from '@dealkeep/testing';
import { onTestFinished } from 'vitest';

/** Follows a cursor, a page at a time. */
export class Reader {
  readonly seen: string[] = [];
  readonly #api: ApiClient;
  #cursor: string | undefined;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async read(limit: number): Promise<boolean> {
    const { page } = await this.#api.get('/events', {
      limit,
      ...(this.#cursor === undefined ? {} : { cursor: this.#cursor }),
    });
    this.seen.push(...page.data.map(({ id }) => id));
    this.#cursor = page.next_cursor ?? undefined;
    return page.has_more;
  }

  async readAll(): Promise<string[]> {
    while (await this.read(100));
    return this.seen;
  }
}

/** A transaction that stays open for as long as it is wanted, on a connection of its own. */
export async function openTransaction(url: string) {
  const sql = connect(url, { connections: 1, name: 'test writer' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const begin = async (): Promise<void> => void (await sql.unsafe('begin; select pg_current_xact_id()'));
  await begin();
  return {
    write: async (organization: string, id: string): Promise<void> =>
      void (await sql`
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        values (${organization}, ${id}, 'lead.created', gen_random_uuid(), now(), ${envelope(id)})`),
    begin,
    end: async (how: 'commit' | 'rollback'): Promise<void> => void (await sql.unsafe(how)),
  };
}

const envelope = (id: string): string =>
  JSON.stringify({
    id,
    type: 'lead.created',
    timestamp: '2026-10-01T08:00:00.000Z',
    api_version: '2026-10-01',
    organization: { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'x' },
    test: false,
    data: {},
  });
