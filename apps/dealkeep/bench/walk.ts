/** The cursors after the first pages of an organization's leads, as many as there are. */
export async function walk(
  { port, key }: { port: number; key: string },
  { limit, pages }: { limit: number; pages: number },
): Promise<string[]> {
  const cursors: string[] = [];
  for (let cursor = ''; cursors.length < pages; cursors.push(cursor)) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/public/leads?limit=${limit}${query}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const page: { next_cursor?: string | null } = JSON.parse(await response.text());
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  return cursors;
}
