import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import postgres from 'postgres';
import { migrate, migrationNames } from '../src/foundations/database/migrate.ts';
import { describeSchema } from './describe-schema.ts';

// Writes baseline.sql from what the migrations, one after the other, make of an empty database.

const folder = await throwawayFolder();
const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: throwawaySettings });
const sql = postgres(server.url, { max: 1 });
try {
  const names = await migrationNames();
  // A database that has begun with the first migration goes on with the others.
  await migrate(server.url, undefined, names[0]);
  await migrate(server.url);
  const head = `-- Stands for the migrations up to ${names.at(-1)}, and makes the same of an empty database.
-- Written by \`npm run baseline\`; why something is as it is stands in the migration that made it.
`;
  await writeFile(new URL('../baseline.sql', import.meta.url), `${head}\n${await describeSchema(sql)}`);
} finally {
  await sql.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
