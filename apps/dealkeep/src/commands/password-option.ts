import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OperatorError } from '@dealkeep/core/foundations';
import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';

/** How an operator says a password. */
export interface PasswordOptions {
  password?: string;
  passwordFile?: string;
}

/** Where it is asked and answered. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  readonly output: Pick<Writable, 'write'>;
}

export const terminalOf = ({ stdin, stderr }: Surroundings): Terminal => ({ input: stdin, output: stderr });

export const withPassword = (command: Command): Command =>
  command
    .option('--password-file <file>', 'the file that holds it; - is stdin, or asks where that is a terminal')
    .option('--password <password>', 'at least 10 characters; better not: others on this machine can see it');

/**
 * The password that was said: typed without an echo, from a file, or from stdin; the option itself with a warning.
 * Undefined where none was said. Raises OperatorError.
 */
export async function givenPassword(
  { password, passwordFile }: PasswordOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  if (password !== undefined && passwordFile !== undefined) {
    throw new OperatorError('--password and --password-file exclude each other');
  }
  if (password !== undefined) {
    terminal.output.write(
      'Others on this machine can see --password, and the shell keeps it; --password-file - takes it from stdin.\n',
    );
    return password;
  }
  if (passwordFile === undefined) return undefined;
  if (passwordFile !== '-') return lineOf(await readPasswordFile(passwordFile));
  return terminal.input.isTTY ? askPassword(terminal) : lineOf(await text(terminal.input));
}

/** The password where there must be one: without an option it is asked for; undefined without a terminal. */
export async function neededPassword(
  options: PasswordOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  const given = await givenPassword(options, terminal);
  if (given !== undefined) return given;
  return terminal.input.isTTY ? askPassword(terminal) : undefined;
}

async function readPasswordFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `--password-file ${file} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Editors and `echo` end a file with a line break, which is none of the password. */
function lineOf(content: string): string {
  const line = content.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(line)) throw new OperatorError('--password-file takes one line');
  return line;
}

/** Asks twice, because nobody sees what they type. */
async function askPassword({ input, output }: Terminal): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  // The terminal hands Ctrl-C over as a key.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ask = async (question: string): Promise<string> => {
    output.write(question);
    const answer = await lines.question('');
    output.write('\n');
    return answer;
  };
  try {
    const first = await ask('Password, at least 10 characters: ');
    if (first !== (await ask('Once more: '))) throw new OperatorError('The two passwords differ');
    return first;
  } finally {
    lines.close();
  }
}
