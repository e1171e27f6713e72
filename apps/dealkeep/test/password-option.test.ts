import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { givenPassword, neededPassword } from '../src/commands/password-option.ts';
import { dealkeep, makeOrganization, ownDatabase, ownFolder } from './program.ts';

/** A terminal at which these lines are typed, each once it is asked for. */
function terminal(lines: readonly string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const waiting = [...lines];
  let shown = '';
  const output = {
    write(words: string) {
      shown += words;
      if (words.endsWith(': ')) setImmediate(() => input.write(`${waiting.shift()}\r`));
      return true;
    },
  };
  return { input, output, shown: () => shown };
}

describe('a password', () => {
  test('is asked for twice at a terminal, and nothing of it is shown', async () => {
    const at = terminal(['a password of Eva', 'a password of Eva']);
    expect(await neededPassword({}, at)).toBe('a password of Eva');
    expect(at.shown()).toBe('Password, at least 10 characters: \nOnce more: \n');
    const again = terminal(['a password of Eva', 'a password of Eve']);
    await expect(givenPassword({ passwordFile: '-' }, again)).rejects.toThrow('The two passwords differ');
  });

  test('is not asked for where none is to be changed, or where there is no terminal', async () => {
    const at = terminal([]);
    expect(await givenPassword({}, at)).toBeUndefined();
    expect(await neededPassword({}, { input: new PassThrough(), output: at.output })).toBeUndefined();
    expect(at.shown()).toBe('');
  });

  test('comes from a file or from stdin, and from the option with a warning', async () => {
    const variables = await ownDatabase();
    const file = join(await ownFolder(), 'password');
    await writeFile(file, 'a password of Eva\n');
    await makeOrganization(variables);
    const user = ['users', 'create', '--organization', 'own', '--role', 'owner', '--name', 'Eva', '--email'];
    const made = await dealkeep([...user, 'eva@own.example', '--password-file', file, '--json'], variables);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({ email: 'eva@own.example' });

    const update = ['users', 'update', 'eva@own.example', '--password-file', '-'];
    const typed = await dealkeep(update, variables, 'another password\n');
    expect(typed).toMatchObject({ code: 0, stderr: '' });

    const warned = await dealkeep(
      ['users', 'update', 'eva@own.example', '--password', 'seen by others'],
      variables,
    );
    expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('can see --password') });
    const none = await dealkeep([...user, 'none@own.example'], variables);
    expect(none).toMatchObject({ code: 64, stderr: expect.stringContaining('--password-file') });
    const two = ['--password', 'a password of Eva', '--password-file', file];
    expect((await dealkeep([...user, 'two@own.example', ...two], variables)).code).toBe(1);
    await writeFile(file, 'a password of Eva\nand more\n');
    const lines = await dealkeep([...user, 'two@own.example', '--password-file', file], variables);
    expect(lines).toMatchObject({ code: 1, stderr: expect.stringContaining('one line') });
  });
});
