const dayMs = 86_400_000;

/**
 * Examples of moments that an operation accepts only while they are near now. The contract writes them as these;
 * what is published says a near moment in their place, so that an example never becomes too old to be sent.
 */
export const exampleMoments = {
  yesterday: '2026-10-01T08:00:00.000Z',
  today: '2026-10-02T08:00:00.000Z',
} as const;

/** A published text whose examples are of the day of `now`. It stays the same for all of that day (UTC). */
export function withExamplesOfDay(text: string, now: Date): string {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  return text
    .replaceAll(exampleMoments.yesterday, new Date(midnight - dayMs).toISOString())
    .replaceAll(exampleMoments.today, new Date(midnight).toISOString());
}
