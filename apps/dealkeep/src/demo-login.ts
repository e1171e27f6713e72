import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from './configuration.ts';
import { inDataFolder } from './configuration-error.ts';
import type { DemoAccess } from './demo-organization.ts';
import type { Output } from './surroundings.ts';

/** Whether a person reads what is printed, and not a log that is kept and passed on. */
export const isReadAtOnce = ({ isTTY }: Output): boolean => isTTY === true;

/** The demo's login and its API key, a line each. */
export const demoLoginLines = ({ email, password, token }: DemoAccess): string[] => [
  `E-mail      ${email}`,
  `Password    ${password}`,
  `API key     ${token}`,
];

/** The file of the demo's login and API key, which only the operator can read. */
export const demoLoginFile = ({ dataDir }: Pick<Configuration, 'dataDir'>): string =>
  join(dataDir, 'demo-login');

/** Writes the login and the API key down where no terminal shows them. */
export async function keepDemoLogin(
  configuration: Pick<Configuration, 'dataDir'>,
  access: DemoAccess,
  stdout: Output,
): Promise<void> {
  if (isReadAtOnce(stdout)) return;
  const file = demoLoginFile(configuration);
  // A file may be left of a first start that failed later. It is made anew, so that it gets the right mode.
  await inDataFolder(configuration.dataDir, async () => {
    await rm(file, { force: true });
    await writeFile(file, `${demoLoginLines(access).join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  });
}
