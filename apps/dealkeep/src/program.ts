import { Command } from 'commander';
import { backupCommands } from './commands/backup.ts';
import { exportCommand } from './commands/export.ts';
import { demoCommands, doctorCommand, migrateCommand } from './commands/installation.ts';
import { keyCommands } from './commands/keys.ts';
import { listenCommand } from './commands/listen.ts';
import { mcpCommand } from './commands/mcp.ts';
import { oauthAppCommands } from './commands/oauth-apps.ts';
import { organizationCommands } from './commands/organizations.ts';
import { queueCommands } from './commands/queue.ts';
import { scaleOutCommand } from './commands/scale-out.ts';
import { secretsCommands } from './commands/secrets.ts';
import { roleCommands, userCommands } from './commands/users.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { readConfiguration } from './configuration.ts';
import { type Surroundings, surround } from './surroundings.ts';
import { version } from './version.ts';

/** The operator's command line. */
export function createProgram(surroundings: Surroundings): Command {
  const program = surround(new Command('dealkeep'), surroundings)
    .description('Self-hosted business-management API with signed webhooks')
    .version(version())
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError();
  program
    .command('start')
    .description('run the API and the worker (ROLES), on an embedded PostgreSQL unless DATABASE_URL is set')
    .action(async () => {
      const configuration = readConfiguration(surroundings.env);
      // Imported here alone, because the other commands need no server and start sooner without it.
      const { start } = await import('./start.ts');
      surroundings.exitCode = await start(configuration, surroundings);
    });
  organizationCommands(program);
  userCommands(program);
  roleCommands(program);
  keyCommands(program);
  oauthAppCommands(program);
  webhookCommands(program);
  queueCommands(program);
  secretsCommands(program);
  exportCommand(program);
  backupCommands(program);
  scaleOutCommand(program);
  demoCommands(program);
  migrateCommand(program);
  listenCommand(program);
  mcpCommand(program);
  doctorCommand(program);
  // Subcommands inherit neither by themselves.
  for (const command of allCommands(program)) command.exitOverride().showHelpAfterError();
  return program;
}

const allCommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((each) => allCommands(each)),
];
