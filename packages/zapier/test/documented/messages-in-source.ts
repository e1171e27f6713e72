import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', '..', '..');
const sources = ['zapier/src', 'connectors/src'];

/** Checks and catalogs speak to us; of the rest, what is a help text is known by the definition. */
const speaksToUs = /\/src\/(checks|catalog)\//;
const sentence = /([^\n]*?)(['`])((?:\$\{|[A-Z])[^'`\n]* [^'`\n]*(?:\.|\. \$\{\w+\}))\2/g;
const saysSomethingElse = /(?:helpText|help|description): *$|throw new Error\($/;

/**
 * The sentences of the source that a user can meet while a Zap is made or runs. Not those that `throw new Error`
 * holds: these are thrown while the definition is made, so that a wrong one is never uploaded.
 */
export async function messagesInSource(helpTexts: string): Promise<string[]> {
  const found = new Set<string>();
  const files = sources.map((folder) => `${folder}/**/*.ts`);
  for await (const path of glob(files, { cwd: packages })) {
    if (speaksToUs.test(path)) continue;
    const source = await readFile(join(packages, path), 'utf8');
    const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').replaceAll(/\(\n\s*/g, '(');
    for (const [, before = '', , text = ''] of code.matchAll(sentence)) {
      if (!saysSomethingElse.test(before) && !helpTexts.includes(text)) found.add(withEllipses(text));
    }
  }
  return [...found];
}

/** What differs from case to case, in a template or in the contract's catalogue, as the pages write it. */
export const withEllipses = (text: string): string =>
  text.replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\{\w+\}/g, '…');
