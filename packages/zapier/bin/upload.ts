// Uploads a build to Zapier: `node packages/zapier/bin/upload.ts BUILD_FOLDER`. It does what
// `zapier-platform upload` does, with Node alone: the job that holds the deploy key runs no package that was
// fetched.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Zapier's deploy key, the integration's number there, and the tag of the release, as the workflow sets them. */
const { ZAPIER_DEPLOY_KEY: deployKey, ZAPIER_APP_ID: app, GITHUB_REF_NAME: tag } = process.env;
const endpoint = process.env['ZAPIER_BASE_ENDPOINT'] || 'https://zapier.com';

try {
  await upload(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function upload(folder: string | undefined): Promise<void> {
  if (!folder) throw new Error('Name the folder that holds build.zip and source.zip.');
  if (!deployKey) throw new Error('ZAPIER_DEPLOY_KEY is not set.');
  if (!app || !/^\d+$/.test(app)) throw new Error("ZAPIER_APP_ID takes the integration's number.");
  const [, version] = /^zapier-v(\d+\.\d+\.\d+)$/.exec(tag ?? '') ?? [];
  if (!version) throw new Error(`GITHUB_REF_NAME takes a tag such as zapier-v1.0.0, not ${tag}.`);
  const response = await fetch(`${endpoint}/api/platform/cli/apps/${app}/versions/${version}`, {
    method: 'PUT',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json; charset=utf-8',
      'X-Requested-With': 'XMLHttpRequest',
      'X-Deploy-Key': deployKey,
    },
    body: JSON.stringify({
      zip_file: await readFile(join(folder, 'build.zip'), 'base64'),
      source_zip_file: await readFile(join(folder, 'source.zip'), 'base64'),
      skip_validation: false,
    }),
  });
  if (!response.ok) {
    throw new Error(`Zapier answered ${response.status}: ${(await response.text()).slice(0, 1000)}`);
  }
  process.stdout.write(`Version ${version} is uploaded.\n`);
}
