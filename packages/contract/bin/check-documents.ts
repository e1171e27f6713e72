// Holds the documents that are made for other tools against the validator of each format. The validators are fetched
// when somebody checks. Newman runs the Postman collection: `npm run test:postman`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';
import { asyncapiDocument, openapi30Document, swagger2Document } from '../src/index.ts';

interface SwaggerParser {
  validate(file: string): Promise<unknown>;
}

interface AsyncapiParser {
  Parser: new () => { parse(document: string): Promise<{ document: unknown; diagnostics: Diagnostic[] }> };
}

interface Diagnostic {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const origin = 'https://api.dealkeep.example';
const swaggerParser: SwaggerParser = await fetched('swagger-parser-13.1.0', '@apidevtools/swagger-parser');
const asyncapi: AsyncapiParser = await fetched('asyncapi-parser-3.6.3', '@asyncapi/parser');

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-documents-'));
const refused: string[] = [];
try {
  for (const document of [openapi30Document(origin), swagger2Document(origin)]) {
    const name = document['openapi'] === undefined ? 'public-v1-2.0.json' : 'public-v1-3.0.json';
    await writeFile(join(folder, name), JSON.stringify(document));
    await swaggerParser.validate(join(folder, name)).catch((error: Error) => {
      refused.push(`${name}: ${error.message}`);
    });
  }
  const { diagnostics } = await new asyncapi.Parser().parse(JSON.stringify(asyncapiDocument(origin)));
  // It recommends its newest version, whatever a document needs.
  const found = diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version');
  refused.push(...found.map(({ message, path }) => `asyncapi.yaml: ${path.join('.')}: ${message}`));
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (refused.length > 0) {
  process.stderr.write(`${refused.join('\n')}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('OpenAPI 3.0, Swagger 2.0 and AsyncAPI are valid.\n');
}

async function fetched(tool: string, name: string) {
  const { default: main, ...others } = await import(
    createRequire(join(await cachedInstall(tool), 'package.json')).resolve(name)
  );
  return main ?? others;
}
