export const envelopeBytes = 1024;
const filler = 'x'.repeat(envelopeBytes);

/** A body of 1 KiB. */
export function benchEnvelope(id: string): string {
  const start = `{"id":"${id}","type":"lead.created","data":{"note":"`;
  return `${start}${filler.slice(start.length + 3)}"}}`;
}
