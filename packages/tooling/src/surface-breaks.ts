/**
 * What people rely on in a package, by where it stands: `lead.create, input name` is `string, required`. Nothing of
 * it goes or becomes another thing; what is new asks for nothing where something was done without it.
 */
export type FlatSurface = Readonly<Record<string, string>>;

/** What ends the text of a field that must be given. */
const required = ', required';

/** What a package takes from those who rely on the released one: a sentence each, with what to do instead. */
export function surfaceBreaks(before: FlatSurface, after: FlatSurface): string[] {
  const changed = Object.entries(before).flatMap(([where, old]) => {
    const now = after[where];
    if (now === undefined) return [`${where}: is gone. Keep it, and add the new one beside it.`];
    if (now === old || now + required === old) return [];
    return now === old + required
      ? [`${where}: became required. Keep it optional, and decide what is done without it.`]
      : [`${where}: ${old} became ${now}. Keep it, and add the new one beside it.`];
  });
  const asked = Object.entries(after)
    .filter(([where, text]) => text.endsWith(required) && !(where in before) && ownerOf(where) in before)
    .map(([where]) => `${where}: is new and required. Make it optional, and decide what is done without it.`);
  return [...changed, ...asked];
}

/** `lead.create` of `lead.create, input name`: what is new as a whole may ask for what it likes. */
const ownerOf = (where: string): string => where.split(', ')[0] ?? where;

/** A surface as it is kept: a line each, in an order that changes do not move. */
export const surfaceText = (version: string, surface: FlatSurface): string =>
  `${JSON.stringify({ version, surface: sorted(surface) }, null, 2)}\n`;

const sorted = (surface: FlatSurface): FlatSurface =>
  Object.fromEntries(Object.entries(surface).sort(([one], [other]) => (one < other ? -1 : 1)));
