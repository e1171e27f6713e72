/** `2026-10-01T15:05` of a moment, as clocks in a time zone show it. */
export function localTime(moment: string, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return shown.format(new Date(moment)).replace(' ', 'T');
}

/**
 * The moment when clocks in a time zone show a local time, as RFC 3339 in UTC; undefined for what is no local time. A
 * time that is skipped in spring is an hour later, of one that comes twice in autumn it is the first.
 */
export function momentOfLocal(local: string, timeZone: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d)?$/.exec(local) ?? [];
  if (day === undefined) return undefined;
  const asUtc = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offset = (at: number): number =>
    Date.parse(`${localTime(new Date(at).toISOString(), timeZone)}Z`) - Math.floor(at / 60_000) * 60_000;
  const aDay = 86_400_000;
  const [before, after] = [asUtc - offset(asUtc - aDay), asUtc - offset(asUtc + aDay)];
  const fits = [before, after].filter((at) => at + offset(at) === asUtc);
  return new Date(fits.length > 0 ? Math.min(...fits) : before).toISOString();
}
