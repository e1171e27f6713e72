import { styleText } from 'node:util';
import type { RequestOutcome } from '@dealkeep/core/foundations';
import { oneLine } from '../one-line.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Ready } from './follow.ts';
import type { StreamedEvent } from './open-stream.ts';

/** What `dealkeep listen` tells: for people, or with `--json` one JSON value in each line. Troubles go to stderr. */
export interface Report {
  ready(facts: Ready): void;
  notice(sentence: string): void;
  forwarded(event: StreamedEvent, outcome: RequestOutcome): void;
}

export interface Setting {
  origin: string;
  forwardTo: string;
  secret: string;
  /** What was asked for; undefined: all that the key may read. */
  events: string | undefined;
}

type Outputs = Pick<Surroundings, 'stdout' | 'stderr'>;

const writers = ({ stdout, stderr }: Outputs) => ({
  write: (line: string): void => void stdout.write(`${line}\n`),
  notice: (sentence: string): void => void stderr.write(`${oneLine(sentence)}\n`),
});

export function jsonReport({ origin, forwardTo, secret }: Setting, outputs: Outputs): Report {
  const { write, notice } = writers(outputs);
  return {
    notice,
    ready: ({ organization, events }) =>
      write(
        JSON.stringify({ kind: 'listening', origin, organization, events, forward_to: forwardTo, secret }),
      ),
    forwarded: ({ id, type }, outcome) =>
      write(
        JSON.stringify({
          kind: 'forwarded',
          time: new Date().toISOString(),
          type,
          id,
          status: outcome.outcome === 'answered' ? outcome.status : null,
          error: outcome.outcome === 'answered' ? null : outcome.message,
          duration_ms: outcome.durationMs,
        }),
      ),
  };
}

/** Length of the longest type of event. */
const typeWidth = 24;
/** Characters of an answer that is no success. */
const answerWidth = 100;

export function readableReport(
  { origin, forwardTo, secret, events: asked }: Setting,
  outputs: Outputs,
): Report {
  const { write, notice } = writers(outputs);
  return {
    notice,
    ready({ organization, events }) {
      if (events.length === 0) {
        notice(
          'The key may read no events: nothing will come. Use a key with read scopes, such as leads:read.',
        );
      }
      write(`Listening to ${organization} at ${origin}. Ctrl-C ends.`);
      write('');
      write(`  Events          ${asked ?? `all ${events.length} that the key may read`}`);
      write(`  Forwarded to    ${forwardTo}`);
      write(`  Signing secret  ${secret}`);
      write('');
    },
    forwarded({ id, type }, outcome) {
      const time = new Date().toTimeString().slice(0, 8);
      const good = outcome.outcome === 'answered' && outcome.status >= 200 && outcome.status < 300;
      const result = outcome.outcome === 'answered' ? String(outcome.status) : `failed: ${outcome.message}`;
      const coloured = styleText(good ? 'green' : 'red', result, { stream: outputs.stdout });
      const said = outcome.outcome === 'answered' && !good ? startOf(outcome.responseStart) : '';
      write(`${time}  ${type.padEnd(typeWidth)}  ${id}  ${coloured}  ${outcome.durationMs} ms${said}`);
    },
  };
}

/** What a receiver says about why it does not take an event. */
function startOf(answer: string): string {
  const line = oneLine(answer);
  return line === '' ? '' : `  ${line.length > answerWidth ? `${line.slice(0, answerWidth)} …` : line}`;
}
