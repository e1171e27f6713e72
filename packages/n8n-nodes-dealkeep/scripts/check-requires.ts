import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Fails when the built code needs a module that n8n does not have. Neither lint nor scan sees an import of a
 * workspace package that is only a devDependency, and n8n could then not load the node.
 */
export async function checkRequires(dist: string): Promise<void> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
  if (names.length === 0) throw new Error(`Nothing was built in ${dist}`);
  for (const name of names) {
    const code = await readFile(join(dist, name), 'utf8');
    for (const [, module = ''] of code.matchAll(/\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/g)) {
      if (!/^\.{1,2}\//.test(module) && module !== 'n8n-workflow' && module !== 'node:crypto') {
        throw new Error(`${name} needs ${module}, which n8n does not provide`);
      }
    }
  }
}
