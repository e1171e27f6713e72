import { giveBackGarbageOfStart } from './heap-limits.ts';
import { runCommand } from './run-command.ts';

// `dealkeep … | head` closes the pipe early; that is no error.
process.stdout.on('error', () => {});
await runCommand(process.argv.slice(2), Object.assign(process, { begins: giveBackGarbageOfStart }));
// Ends the process, because something that is still open (a pool that lost its server, say) would keep a finished
// command alive.
process.exit();
