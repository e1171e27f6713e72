import type { CsvStyle } from '@dealkeep/core/installation';
import type { ConsoleContext } from '../context.ts';

/**
 * As spreadsheets on computers of the language take it: where the comma is the decimal mark, it stands between no
 * cells.
 */
export const csvStyles = {
  en: { delimiter: ',', decimalMark: '.' },
  sk: { delimiter: ';', decimalMark: ',' },
} as const satisfies Record<string, CsvStyle>;

/**
 * Pulled by the connection, so that nothing is read that cannot be sent. What fails on the way cuts the download
 * off.
 */
export function streamOf(c: ConsoleContext, texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await texts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          const fields = { error, request_id: c.env?.story?.id, path: c.req.path };
          c.get('core').log.error(fields, 'An export of the console was cut off');
          controller.error(error);
        }
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
