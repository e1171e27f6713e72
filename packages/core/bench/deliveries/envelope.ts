const filler = 'x'.repeat(1024);

/** A body of 1 KiB. */
export function benchEnvelope(id: string): string {
  const start = `{"id":"${id}","type":"lead.created","data":{"note":"`;
  return `${start}${filler.slice(start.length + 3)}"}}`;
}
