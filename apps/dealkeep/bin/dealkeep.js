#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it: Dealkeep itself needs Node 24 and brings it along.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';

const wanted = 24;

endWithNpm();
haveHome();
if (Number(process.versions.node.split('.')[0]) >= wanted) {
  rememberCompiled();
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

/** A user that the system does not know, as some containers have, has no home; libraries ask for one. */
function haveHome() {
  try {
    homedir();
  } catch {
    process.env.HOME = '/';
  }
}

/** Halves the time that a command takes. Where the folder cannot be made, nothing is kept. */
function rememberCompiled() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  // Node tries forever to make a folder below one that can never be made.
  if (existsSync(dirname(cache))) module.enableCompileCache(join(cache, 'dealkeep', 'compiled'));
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

/**
 * npm, and the shell that it starts, can be killed without passing it on; what they have started must not keep the
 * port and the data.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const starters = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const first = starters();
  const timer = setInterval(() => {
    if (starters() === first) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 200).unref();
}

/** Where the system says it in a file, as Linux does. */
function parentOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
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
