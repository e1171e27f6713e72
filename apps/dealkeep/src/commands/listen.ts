import { hkdfSync } from 'node:crypto';
import { OperatorError } from '@dealkeep/core/foundations';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { localOrigin, parseOrigin } from '../configuration.ts';
import { stopAsked } from '../interruption.ts';
import { type Surroundings, surroundingsOf } from '../surroundings.ts';

interface ListenOptions {
  forwardTo: URL;
  events?: string;
  origin: string;
  key?: string;
  secret?: string;
  json?: true;
}

export function listenCommand(program: Command): void {
  const { PORT: port } = surroundingsOf(program).env;
  const command = program.command('listen');
  command
    .description('forward live events to a program on this machine, signed as webhooks are')
    .requiredOption('--forward-to <url>', 'where to, such as http://localhost:5678/webhook', forwardTo)
    .option('--events <list>', 'types of events separated by commas; all that the key may read when absent')
    .addOption(
      new Option('--origin <url>', 'address of the server')
        .env('ORIGIN')
        .default(localOrigin(Number(port) || 3000))
        .argParser(origin),
    )
    .addOption(new Option('--key <key>', 'an API key with webhooks:manage').env('DEALKEEP_KEY'))
    .option('--secret <secret>', 'whsec_… to sign with; one that belongs to the key when absent', secret)
    .option('--json', 'print JSON, a line for each event')
    .action(async (options: ListenOptions) => {
      const { key = '' } = options;
      if (!/^[\x21-\x7e]+$/.test(key)) {
        command.error('error: give an API key in DEALKEEP_KEY or by --key; `dealkeep keys create` makes one');
      }
      await listen({ ...options, key }, surroundingsOf(command));
    });
}

async function listen(options: ListenOptions & { key: string }, surroundings: Surroundings): Promise<void> {
  const { key, secret = secretOfKey(key), forwardTo, events, origin } = options;
  // Imported here alone, because the other commands need none of it.
  const { forwardEvents } = await import('../forwarding/forward.ts');
  const { StreamLost } = await import('../forwarding/open-stream.ts');
  const { jsonReport, readableReport } = await import('../forwarding/report.ts');
  const report = (options.json ? jsonReport : readableReport)(
    { origin, secret, forwardTo: forwardTo.href, events },
    surroundings,
  );
  try {
    await forwardEvents({
      ...report,
      key,
      origin,
      events,
      forwardTo,
      secret,
      signal: stopAsked(surroundings),
    });
  } catch (error) {
    if (!(error instanceof StreamLost)) throw error;
    throw new OperatorError(`The server at ${origin} cannot be reached: ${error.message}`);
  }
}

function forwardTo(text: string): URL {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw new InvalidArgumentError('It takes an address such as http://localhost:5678/webhook.');
}

function origin(text: string): string {
  const parsed = parseOrigin(text);
  if (parsed !== undefined) return parsed;
  throw new InvalidArgumentError('It takes an address without a path, such as https://crm.example.com.');
}

function secret(text: string): string {
  if (isWebhookSecret(text)) return text;
  throw new InvalidArgumentError('It takes whsec_ and 24 to 64 bytes in base64.');
}

/**
 * The signing secret of `dealkeep listen`: the same for the same key at every run, so that it is set up once in a
 * receiver; from it nobody can tell the key (HKDF, RFC 5869).
 */
function secretOfKey(key: string): string {
  const bytes = hkdfSync('sha256', key, '', 'dealkeep listen', 32);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks). */
function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}
