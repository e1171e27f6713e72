import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const packageFolder = join(import.meta.dirname, '..');

/**
 * A sentence begins with a capital or with what differs; what ends with a full stop says how to mend what came
 * before.
 */
const sentence = /([^\n]*?)(['`])((?:\$\{|[A-Z])[^'`\n]*[^'`\n.])\2/g;
const saysSomethingElse =
  /(?:description|displayName|placeholder|name|default): *$|hidden\(.*$|givesNothing\($|const \w+Messages.*$/;
/** n8n's own words by which a failure is known, and a mend that ends with an address. */
const notForUsers =
  /^(Unable to sign without access token|OAuth credentials not connected)$|^Open the credential/;

/** The sentences of the nodes and credentials by which somebody is told what is wrong, or what the log says. */
export async function messagesInSource(): Promise<string[]> {
  const found = new Set<string>();
  for await (const path of glob('{nodes,credentials}/**/*.ts', { cwd: packageFolder })) {
    // What a tool says of itself is no message.
    if (/generated\/|\.node\.ts$|tool-descriptions\.ts$/.test(path)) continue;
    const source = await readFile(join(packageFolder, path), 'utf8');
    const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(/([(:])\n\s*/g, '$1 ');
    for (const [, before = '', , text = ''] of code.matchAll(sentence)) {
      const words = text.replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '…').replaceAll(/…+/g, '…');
      if (!/ [a-z]/.test(words)) continue;
      if (!saysSomethingElse.test(before) && !notForUsers.test(words)) found.add(words);
    }
  }
  return [...found];
}
