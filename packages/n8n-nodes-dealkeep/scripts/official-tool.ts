import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs `n8n-node lint` or `n8n-node build` in a folder, with n8n's own configuration. Fails on warnings too: a
 * package for verification has no finding at all.
 */
export async function runOfficialTool(
  tooling: string,
  command: 'lint' | 'build',
  folder: string,
): Promise<void> {
  const cli = join(tooling, 'node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
  const { code, output } = await capture(process.execPath, [cli, command], folder);
  const finding = /\b[1-9]\d* problems?\b/.exec(output);
  if (code !== 0 || finding) throw new Error(`n8n-node ${command} failed\n${output}`);
}

function capture(
  command: string,
  args: string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        npm_config_user_agent: 'npm',
        npm_config_update_notifier: 'false',
        NO_COLOR: '1',
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
