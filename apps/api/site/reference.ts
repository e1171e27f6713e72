import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Hono } from 'hono';
import type { ApiEnvironment } from '../src/api-environment.ts';
import { docsRoutes } from '../src/docs/routes.ts';
import { openapiRoutes } from '../src/openapi.ts';

/**
 * Writes the reference of the API in both languages, and the files that it leads to, as every installation serves
 * them.
 */
export async function writeReference(folder: string, base: string): Promise<void> {
  const installation = {
    origin: 'https://crm.example.com',
    environment: 'live',
    clock: { now: () => new Date() },
  } as const;
  const app = new Hono<ApiEnvironment>();
  openapiRoutes(app, installation);
  docsRoutes(app, installation);
  const read = async (path: string): Promise<string> => {
    const answer = await app.request(path);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
    return answer.text();
  };
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  const led = new Set<string>();
  for (const [language, file, other] of [
    ['en', 'index.html', 'sk.html'],
    ['sk', 'sk.html', 'index.html'],
  ] as const) {
    const page = await read(`/docs?language=${language}`);
    for (const [, path = ''] of page.matchAll(/href="(\/[^"]+)"/g)) led.add(path);
    const here = page.replaceAll(/href="\?language=\w+"/g, `href="${other}"`);
    await write(join('reference', file), here.replaceAll('href="/', `href="${base}`));
  }
  for (const path of led) await write(path, await read(path));
}
