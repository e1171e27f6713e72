#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it: Dealkeep itself needs Node 24 and brings it along.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const wanted = 24;

if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import('../src/main.ts');
} else {
  const node = bundledNode();
  if (node) {
    const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
    // Ctrl-C reaches the child by the terminal; a signal sent to this process alone is passed on.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.once('error', (error) => {
      process.stderr.write(`${node} cannot be run: ${error.message}\n`);
      process.exitCode = 1;
    });
    child.once('close', (code) => {
      process.exitCode = code ?? 1;
    });
  } else {
    process.stderr.write(
      `Dealkeep needs Node ${wanted} or newer, this is ${process.version}, and npm brought no newer one for ${process.platform}-${process.arch}: install Node ${wanted}\n`,
    );
    process.exitCode = 78;
  }
}

function bundledNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const folder = dirname(
      createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`),
    );
    const node = join(folder, 'bin', platform === 'win' ? 'node.exe' : 'node');
    return existsSync(node) ? node : undefined;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
