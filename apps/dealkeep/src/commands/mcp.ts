import { basePath, type ToolSetName, toolSetNames } from '@dealkeep/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { localOrigin, parseOrigin } from '../configuration.ts';
import { surroundingsOf } from '../surroundings.ts';

interface McpOptions {
  baseUrl: string;
  key?: string;
  tools?: ToolSetName | 'all';
  readonly?: boolean;
}

export function mcpCommand(program: Command): void {
  const { PORT: port } = surroundingsOf(program).env;
  const command = program.command('mcp');
  command
    .description('be the MCP server of an AI assistant on this machine, over stdin and stdout')
    .addOption(
      new Option('--base-url <url>', 'address of the server, with or without the path of its API')
        .env('DEALKEEP_BASE_URL')
        .default(localOrigin(Number(port) || 3000))
        .argParser(originOf),
    )
    .addOption(new Option('--key <key>', 'an API key').env('DEALKEEP_API_KEY'))
    .addOption(
      new Option('--tools <set>', 'the tools of one set, or all; the usual ones when absent').choices([
        ...toolSetNames,
        'all',
      ]),
    )
    .option('--readonly', 'only tools that change nothing')
    .action(async ({ baseUrl, key = '', tools, readonly = false }: McpOptions) => {
      if (!/^[\x21-\x7e]+$/.test(key)) {
        command.error(
          'error: give an API key in DEALKEEP_API_KEY or by --key; `dealkeep keys create` makes one',
        );
      }
      // Imported here alone, because the other commands need none of it.
      const { relay } = await import('../relaying/relay.ts');
      const surroundings = surroundingsOf(command);
      const failed = await relay({ origin: baseUrl, key, tools, readonly }, surroundings);
      if (failed) surroundings.exitCode = 1;
    });
}

/** Of `https://crm.example.com`, also where it is given with the path of the API, as other programs take it. */
function originOf(text: string): string {
  const origin = parseOrigin(text.replace(new RegExp(`${basePath}/?$`), ''));
  if (origin !== undefined) return origin;
  throw new InvalidArgumentError('It takes an address such as https://crm.example.com.');
}
