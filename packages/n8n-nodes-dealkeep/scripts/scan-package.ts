import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the scan before verification reads of the source repository, and of the published tarball. */
export const sourcePatterns = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
export const tarballPatterns = ['**/*.js', 'package.json'];

interface ScanResult {
  passed: boolean;
  message?: string;
  details?: string;
}

/** n8n's package scan on a local folder: its command takes published packages only, its analysis any folder. */
export async function scanPackage(
  tooling: string,
  folder: string,
  patterns: readonly string[],
): Promise<void> {
  const scanner: { analyzePackage(folder: string, patterns: readonly string[]): Promise<ScanResult> } =
    await import(
      pathToFileURL(join(tooling, 'node_modules', '@n8n', 'scan-community-package', 'scanner', 'scanner.mjs'))
        .href
    );
  const result = await scanner.analyzePackage(folder, patterns);
  if (!result.passed || result.details) {
    throw new Error(`The scan of ${folder} found something: ${result.message}\n${result.details ?? ''}`);
  }
}
