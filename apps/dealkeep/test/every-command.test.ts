import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';
import { dealkeep, OwnSurroundings } from './program.ts';

/** What an operator types for each command. */
const commandsOf = ({ commands }: Command): string[][] =>
  commands.flatMap((each) => [
    ...(each.commands.length === 0 ? [[each.name()]] : []),
    ...commandsOf(each).map((words) => [each.name(), ...words]),
  ]);

test('every command knows --help without a database, and every one but start and mcp knows --json (rule operator 26)', async () => {
  const commands = commandsOf(createProgram(new OwnSurroundings({})));
  expect(commands.length).toBeGreaterThan(30);
  const withoutJson: string[] = [];
  for (const words of commands) {
    const { code, stdout, stderr } = await dealkeep([...words, '--help'], {});
    expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: dealkeep ${words.join(' ')}`);
    if (!stdout.includes('--json')) withoutJson.push(words.join(' '));
  }
  expect(withoutJson).toEqual(['start', 'mcp']);
});
