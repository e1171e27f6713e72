import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificate, createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkZip } from '../../bin/check-zip.ts';
import { findingsOf } from '../../bin/checks/index.ts';
import { openZip } from '../../bin/zapier-tooling.ts';
import { connectByKey, connectByOauth, publish } from '../platform/connect.ts';
import type { Connection } from '../platform/connection.ts';
import { failureOf } from '../platform/failure.ts';
import { startHookReceiver } from '../platform/hook-receiver.ts';
import { close, listen } from '../platform/listen.ts';
import { type Node22Platform, startNode22 } from '../platform/node22-platform.ts';
import { type RunningProgram, startProgram } from '../platform/running-program.ts';
import type { Organization } from '../platform/service.ts';
import { tlsProxy } from '../platform/tls-proxy.ts';
import { aDayInZapiersLife } from '../promises/day/index.ts';
import { itKeepsItsPromises, promisesOfBuilds, promisesWithKey } from '../promises/index.ts';

const builds = join(import.meta.dirname, '..', '..', 'build');
const receiver = await startHookReceiver();
let dealkeep: RunningProgram;
let organization: Organization;

beforeAll(async () => {
  dealkeep = await startProgram();
  organization = await dealkeep.createOrganization();
});
afterAll(async () => {
  await receiver.close();
  await dealkeep?.stop();
});

/** Unzips a build outside of the repository, so that nothing which it lacks is found in a folder above. */
async function unzipped(zip: string): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'dealkeep-unzipped-')), 'build');
  await mkdir(folder);
  (await openZip(zip)).extractAllTo(folder);
  return folder;
}

/** What every build is tested for; `connect` connects the organization to it. */
async function itRuns(
  zip: string,
  groups: Parameters<typeof itKeepsItsPromises>[0],
  connect: (platform: Node22Platform) => Promise<Connection>,
  prepare: (platform: Node22Platform) => Promise<void> = async () => {},
  more: (platform: () => Node22Platform) => void = () => {},
): Promise<void> {
  const folder = await unzipped(zip);
  let platform: Node22Platform;

  beforeAll(async () => {
    platform = await startNode22(folder, dealkeep.authorityFile);
    await prepare(platform);
  });
  afterAll(async () => {
    await platform?.close();
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  describe('the zip (rule zapier 18)', () => {
    test('is without symlinks and without anything that is not needed', async () => {
      expect(await checkZip(zip)).toEqual([]);
      expect((await readdir(folder)).sort()).toEqual([
        'definition.json',
        'integration.js',
        'node_modules',
        'package.json',
        'zapierwrapper.js',
      ]);
    });

    test('runs on Node 22', () => {
      expect(platform.nodeVersion).toMatch(/^v22\./);
    });

    test('holds the definition that it runs, which passes the integration checks', async () => {
      const written: unknown = JSON.parse(await readFile(join(folder, 'definition.json'), 'utf8'));
      expect(written).toEqual(await platform.definition());
      expect(findingsOf(written)).toEqual([]);
    });
  });

  itKeepsItsPromises(groups, async () => ({ platform, receiver, connection: await connect(platform) }));
  more(() => platform);

  test('nothing that was printed or reported holds a token, a key or a signing secret', () => {
    const told = `${platform.printed()}${platform.log.text()}`;
    expect(told).toContain('/api/v1/public/webhooks');
    for (const secret of dealkeep.secrets) expect(told).not.toContain(secret);
    // Each with what stands around it, so that a finding says where it was written.
    expect(told.match(/.{0,300}(dk_(oat|ort|oac|live)_|whsec_)[A-Za-z0-9+/]{20,}.{0,100}/g) ?? []).toEqual(
      [],
    );
  });
}

describe('the published integration', async () => {
  await itRuns(
    join(builds, 'build.zip'),
    promisesOfBuilds,
    (platform) => connectByOauth(dealkeep, platform, organization),
    (platform) => publish(dealkeep, platform),
    (platform) =>
      describe("in a day of Zapier's life", () => {
        aDayInZapiersLife(() => ({ service: dealkeep, platform: platform(), receiver }));
      }),
  );
});

describe('the private integration', async () => {
  await itRuns(
    join(builds, 'api_key', 'build.zip'),
    { ...promisesOfBuilds, ...promisesWithKey },
    () => connectByKey(dealkeep, organization),
    async () => {},
    itRefusesCertificates,
  );
});

/** Node alone decides of certificates, so this is of worth with the Node that Zapier uses. */
function itRefusesCertificates(platform: () => Node22Platform): void {
  const stranger = createAuthority('Stranger');

  test.each<[string, () => Certificate, string]>([
    [
      'of an authority that nobody knows',
      () => issueCertificate(stranger, ['localhost']),
      'https://localhost',
    ],
    ['that is self-signed', () => createAuthority('localhost'), 'https://localhost'],
    ['for another name', () => dealkeep.certificate, 'https://127.0.0.1'],
  ])('a certificate %s is named, and no key leaves', async (_, certificate, origin) => {
    const proxy = tlsProxy(certificate(), dealkeep.port);
    const address = (await listen(proxy)).replace('http://127.0.0.1', origin);
    let heard = 0;
    proxy.on('request', () => {
      heard += 1;
    });
    const authData = { base_url: address, api_key: `dk_live_${'x'.repeat(43)}` };
    const run = platform().run('authentication.test', { authData });
    expect((await failureOf(run)).message).toBe(
      `The certificate of ${new URL(address).host} cannot be trusted: it is self-signed, expired or made for another name. Give the service one that browsers accept.`,
    );
    expect(heard).toBe(0);
    await close(proxy);
  });
}
