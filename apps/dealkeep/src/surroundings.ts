import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** What a command is told while it runs. */
type Told = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'disconnect' | 'uncaughtException';

/** Where a command writes; a terminal is one that has these of a process's stdout. */
export type Output = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly fd?: number | undefined;
  hasColors?(): boolean;
};

/** What a command reads, writes and hears: of this process, or of a caller that runs several in one. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Writable;
  on(told: Told, listener: (what: unknown) => void): unknown;
  off(told: Told, listener: (what: unknown) => void): unknown;
  /** Called once, by a start that is about to answer. */
  begins?(): void;
  /** Set by a command that ends without an error, and yet not well. */
  exitCode?: number | string | null | undefined;
}

const told = new WeakMap<Command, Surroundings>();

/** Gives a program its surroundings. commander's own words, such as help, go there too. */
export function surround(program: Command, surroundings: Surroundings): Command {
  told.set(program, surroundings);
  return program.configureOutput({
    writeOut: (text) => void surroundings.stdout.write(text),
    writeErr: (text) => void surroundings.stderr.write(text),
  });
}

/** Those of the program that a command belongs to. */
export function surroundingsOf(command: Command): Surroundings {
  const surroundings = told.get(command) ?? (command.parent ? surroundingsOf(command.parent) : undefined);
  if (surroundings === undefined) throw new Error('This command belongs to no program');
  return surroundings;
}
