import type { FeedOfReader, SeenEvent } from './feed-readers.ts';
import { changeOf, type Told } from './load.ts';

interface FeedJudged {
  readers: readonly FeedOfReader[];
  /** What one reads who begins at the end. */
  all: readonly SeenEvent[];
  /** Ids of all events that the database has. */
  committed: readonly string[];
  told: Told;
  /** Ids of events of long transactions whose commit was acknowledged. */
  imported: readonly string[];
}

/** Says of the feed what is wrong with it, a line for each. */
export function judgeFeed({ readers, all, committed, told, imported }: FeedJudged): string[] {
  const ids = new Set(all.map(({ id }) => id));
  const inDatabase = new Set(committed);
  const changes = new Set(
    all.flatMap(({ type, data: { id, value } }) =>
      id !== undefined && value !== undefined ? [changeOf(type, { id, value })] : [],
    ),
  );
  return [
    ...readers.flatMap((reader) => [
      ...reader.otherwise.map((line) => `${reader.name}: ${line}`),
      ...otherThan(
        all.filter(({ type }) => reader.types === undefined || type === reader.types),
        reader,
      ),
    ]),
    ...(ids.size < all.length ? ['one who begins at the end is shown events twice'] : []),
    ...committed.filter((id) => !ids.has(id)).map((id) => `${id} is not in the feed`),
    ...[...ids].filter((id) => !inDatabase.has(id)).map((id) => `${id} is in the feed alone`),
    ...told.changes
      .filter((change) => !changes.has(change))
      .map((change) => `acknowledged without event: ${change}`),
    ...imported.filter((id) => !ids.has(id)).map((id) => `${id} was committed and is not in the feed`),
  ];
}

/** How what a reader has seen differs from what it should have: each event once, in this order. */
function otherThan(expected: readonly { id: string }[], reader: FeedOfReader): string[] {
  const { name, seen } = reader;
  const places = new Map<string, number>();
  const found: string[] = [];
  for (const [place, { id }] of seen.entries()) {
    if (places.has(id)) found.push(`${name}: ${id} came twice`);
    else places.set(id, place);
  }
  let lastPlace = -1;
  let lastId = 'the beginning';
  for (const { id } of expected) {
    const place = places.get(id);
    if (place === undefined) {
      const passedAt = reader.passedAt(lastPlace + 2);
      const when = passedAt === undefined ? '' : `, by a page of ${new Date(passedAt).toISOString()}`;
      found.push(`${name}: a cursor has passed by ${id}, which stands behind ${lastId}${when}`);
      continue;
    }
    if (place < lastPlace) found.push(`${name}: ${id} came before ${lastId}, and stands behind it`);
    [lastPlace, lastId] = [place, id];
  }
  const known = new Set(expected.map(({ id }) => id));
  return [
    ...found,
    ...seen.filter(({ id }) => !known.has(id)).map(({ id }) => `${name}: ${id} is not there any more`),
  ];
}
