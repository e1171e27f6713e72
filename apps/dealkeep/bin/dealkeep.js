#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it: Dealkeep itself needs Node 24 and brings it along.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const wanted = 24;

endWithNpm();
if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import('../src/main.ts');
} else {
  const node = bundledNode();
  if (node) runWith(node);
  else {
    process.stderr.write(
      `Dealkeep needs Node ${wanted} or newer, this is ${process.version}, and npm brought no newer one for ${process.platform}-${process.arch}: install Node ${wanted}\n`,
    );
    process.exitCode = 78;
  }
}

/** The channel tells the program when this process has ended without passing anything on, as by kill -9. */
function runWith(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // Ctrl-C reaches the program by the terminal, too; it hears the first signal only.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${node} cannot be run: ${error.message}\n`);
    process.exit(1);
  });
  child.once('close', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

/** npm can be killed without passing it on; what it has started must not keep the port. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const check = () => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(check, 500).unref();
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
