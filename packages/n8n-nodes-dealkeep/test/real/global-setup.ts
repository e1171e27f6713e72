import { existsSync } from 'node:fs';
import { assertChromium } from '@dealkeep/testing/chromium';
import type { TestProject } from 'vitest/node';
import { installN8n } from '../../scripts/install-n8n.ts';
import { tarballPath } from '../../scripts/tarball-path.ts';
import { startN8n } from './n8n-server.ts';
import { N8nSession, type SessionTicket } from './n8n-session.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The running n8n: where it answers, where it is installed, and its owner's session. */
    n8n: SessionTicket;
  }
}

/** Starts n8n with the packed package once for all files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  assertChromium();
  const tarball = await tarballPath();
  if (!existsSync(tarball)) throw new Error(`${tarball} is not there: run npm run build first`);
  const installation = await installN8n();
  const n8n = await startN8n({ installation, tarball });
  try {
    const { ticket } = await N8nSession.setUp(n8n, installation);
    project.provide('n8n', ticket);
  } catch (error) {
    process.stderr.write(n8n.log());
    await n8n.stop();
    throw error;
  }
  return () => n8n.stop();
}
