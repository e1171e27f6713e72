// Writes what follows from the contract; with --check only compares, and fails when something differs.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles, generatedFolders } from './generate/files.ts';
import { nodesFolder, writtenFiles } from './generate/written-files.ts';

const files = generatedFiles();

if (process.argv.includes('--check')) {
  const written = await writtenFiles();
  const stale = [...new Set([...files.keys(), ...written.keys()])].filter(
    (path) => written.get(path) !== files.get(path),
  );
  if (stale.length > 0) {
    process.stderr.write(
      `nodes/ does not follow from the contract: ${stale.join(', ')}. Run npm run generate.\n`,
    );
    process.exitCode = 1;
  }
} else {
  for (const folder of generatedFolders)
    await rm(join(nodesFolder, folder), { recursive: true, force: true });
  for (const [path, content] of files) {
    await mkdir(dirname(join(nodesFolder, path)), { recursive: true });
    await writeFile(join(nodesFolder, path), content);
  }
}
