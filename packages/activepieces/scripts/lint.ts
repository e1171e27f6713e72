// What the platform's own repository lints its pieces with: typescript-eslint's recommended rules, no unused
// imports.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '@dealkeep/tooling';
import { packageFolder } from './tooling.ts';

/** Lints the piece as the platform does. What is a warning there fails here. */
export async function lint(tooling: string): Promise<void> {
  const build = join(packageFolder, 'build');
  const configuration = join(build, 'eslint.config.mjs');
  const url = (name: string, file: string) =>
    JSON.stringify(pathToFileURL(join(tooling, 'node_modules', name, file)).href);
  await mkdir(build, { recursive: true });
  await writeFile(
    configuration,
    `import typescript from ${url('typescript-eslint', 'dist/index.js')};
import unusedImports from ${url('eslint-plugin-unused-imports', 'dist/index.js')};

export default typescript.config({
  files: ['src/**/*.ts'],
  extends: [typescript.configs.recommended],
  plugins: { 'unused-imports': unusedImports },
  rules: {
    'unused-imports/no-unused-imports': 'error',
    '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
    '@typescript-eslint/no-explicit-any': 'error',
  },
});
`,
  );
  const eslint = join(tooling, 'node_modules', 'eslint', 'bin', 'eslint.js');
  await run(
    process.execPath,
    [eslint, '--config', configuration, '--max-warnings', '0', 'src'],
    packageFolder,
  );
}
