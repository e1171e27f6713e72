import { execFileSync } from 'node:child_process';

/** The arguments that a shell hands to curl when a command is pasted. */
export const pasted = (command: string, environment: Readonly<Record<string, string>>): readonly string[] =>
  pastedTogether([command], environment)[0] ?? [];

/** The same of many commands, pasted into one shell. */
export function pastedTogether(
  commands: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly (readonly string[])[] {
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; printf '\\1'; }\n${commands.join('\n')}`;
  const output = execFileSync('sh', ['-c', script], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  const called = output.split('\u0001').slice(0, -1);
  if (called.length !== commands.length) throw new Error(`curl was called ${called.length} times`);
  return called.map((told) => told.split('\0').slice(0, -1));
}

/** Those that stand before a value, and those that stand alone. */
const withValue = ['-X', '-H', '-d', '--data-urlencode'];
const alone = ['-G', '-i'];

/**
 * Does what curl would do with the arguments, at an address that begins with `there` where they say `origin`. Raises
 * for an argument that nothing is known of.
 */
export async function sendPasted(parts: readonly string[], [origin, there]: readonly [string, string]) {
  const after = (flag: string) => parts.flatMap((part, index) => (parts[index - 1] === flag ? [part] : []));
  const others = parts.filter(
    (part, at) => ![part, parts[at - 1] ?? ''].some((each) => withValue.includes(each)),
  );
  const [address = '', unknown] = others.filter((part) => !alone.includes(part));
  if (!address.startsWith('http') || unknown) throw new Error(`What would curl do with ${parts.join(' ')}?`);
  const url = new URL(address.replace(origin, there));
  for (const pair of after('--data-urlencode')) {
    const at = pair.indexOf('=');
    url.searchParams.append(pair.slice(0, at), pair.slice(at + 1));
  }
  const [method = 'GET'] = after('-X');
  const [body] = after('-d');
  const response = await fetch(url, {
    method,
    headers: after('-H').map((header): [string, string] => {
      const at = header.indexOf(':');
      return [header.slice(0, at), header.slice(at + 1).trim()];
    }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
