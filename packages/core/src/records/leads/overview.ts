import { type ResultOf, reads } from '../../change/verb/verb.ts';

const shownWeeks = 12;
const millisecondsADay = 86_400_000;

interface Sums {
  open_leads: number;
  open_value: number;
  won_leads: number;
  won_value: number;
  last_leads: number;
  last_value: number;
}

/**
 * What open leads are worth now and were as the last weeks began, and what was won this month and the last, by the
 * clock of the organization.
 */
export const overviewOfLeads = reads(
  'leads.overview',
  async ({ core, sql, organization, actor, now }, { query }): Promise<ResultOf<'leads.overview'>> => {
    const { owner_id: owner } = query;
    const { timeZone } = actor.organization;
    const { month, lastMonth, weeks } = calendarOf(now, timeZone);
    const owned = owner === undefined ? sql`true` : sql`owner_id = ${owner}`;
    const isThisMonth = sql`won_at >= ${month}::text::timestamp at time zone ${timeZone}`;
    const [values, [sums]] = await Promise.all([
      core.pipelineWeeks.values(sql, { organization, timeZone, owner }, weeks),
      sql<Sums[]>`
        select * from (
          select count(*)::integer as open_leads, coalesce(sum(value), 0)::float8 as open_value from leads
          where organization_id = ${organization} and status = 'open' and archived_at is null and ${owned}) open
        cross join (
          select count(*) filter (where ${isThisMonth})::integer as won_leads,
                 coalesce(sum(value) filter (where ${isThisMonth}), 0)::float8 as won_value,
                 count(*) filter (where not ${isThisMonth})::integer as last_leads,
                 coalesce(sum(value) filter (where not ${isThisMonth}), 0)::float8 as last_value
          from leads
          where organization_id = ${organization} and ${owned}
            and won_at >= ${lastMonth}::text::timestamp at time zone ${timeZone}) won`,
    ]);
    if (!sums) throw new Error('Unreachable: one row always comes');
    return {
      open: { leads: sums.open_leads, value: sums.open_value },
      weeks: weeks.map((day, index) => ({ day, value: values[index] ?? 0 })),
      won: { leads: sums.won_leads, value: sums.won_value },
      won_last_month: { leads: sums.last_leads, value: sums.last_value },
      month,
    };
  },
);

/** The first days of this month and the last, and of the last weeks, this one included, the oldest first. */
function calendarOf(now: string, timeZone: string): { month: string; lastMonth: string; weeks: string[] } {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(now));
  const date = new Date(`${today}T00:00:00Z`);
  const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
  const monday = date.getTime() - ((date.getUTCDay() + 6) % 7) * millisecondsADay;
  return {
    month: `${today.slice(0, 7)}-01`,
    lastMonth: dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)),
    weeks: Array.from({ length: shownWeeks }, (_, index) =>
      dayOf(monday - (shownWeeks - 1 - index) * 7 * millisecondsADay),
    ),
  };
}
