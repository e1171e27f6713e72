import type { Command } from 'commander';
import { examine } from '../doctor/examine.ts';
import { oneLine } from '../one-line.ts';

const marks = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' };

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check configuration, database, clock, DNS and allowed targets, and say how to mend')
    .option('--json', 'print only the result, as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(process.env);
      const lines = findings.map(
        ({ check, state, finding, mend }) =>
          `${marks[state]}  ${check}: ${oneLine(finding)}${mend ? `\n        ${mend}` : ''}`,
      );
      process.stdout.write(`${json ? JSON.stringify(findings) : lines.join('\n')}\n`);
      if (findings.some(({ state }) => state === 'failed')) process.exitCode = 1;
    });
}
