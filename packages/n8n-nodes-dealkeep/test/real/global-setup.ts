import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificate, createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
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
    /** Of 127.0.0.1; n8n trusts the authority that issued it. */
    certificate: Certificate;
  }
}

/** Starts n8n with the packed package once for all files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  assertChromium();
  const tarball = await tarballPath();
  if (!existsSync(tarball)) throw new Error(`${tarball} is not there: run npm run build:n8n first`);
  const installation = await installN8n();
  const folder = await mkdtemp(join(tmpdir(), 'n8n-authority-'));
  const authority = createAuthority();
  const environment = { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') };
  await writeFile(environment.NODE_EXTRA_CA_CERTS, authority.cert);
  project.provide('certificate', issueCertificate(authority, ['127.0.0.1']));
  const n8n = await startN8n({ installation, tarball, environment });
  const stop = async () => {
    await n8n.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { ticket } = await N8nSession.setUp(n8n, installation);
    project.provide('n8n', ticket);
  } catch (error) {
    process.stderr.write(n8n.log());
    await stop();
    throw error;
  }
  return stop;
}
