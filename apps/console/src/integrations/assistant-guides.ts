import { mcpPath, type Text, text } from '@dealkeep/contract';

/** Where this installation is, and how its API keys begin. */
interface Place {
  readonly origin: string;
  readonly keyPrefix: string;
}

interface GuideStep {
  readonly say: Text;
  /** To be copied, with the addresses of this installation. */
  readonly code?: string;
}

/** How one assistant is connected, in the words that its own pages use. */
export interface Guide {
  readonly id: string;
  readonly name: string;
  /** It runs in its maker's cloud, and asks for an address with https. */
  readonly inCloud: boolean;
  /** The address of its Client ID Metadata Document, by which it is registered; absent where it uses a key alone. */
  readonly metadataAddress?: string;
  readonly steps: readonly GuideStep[];
}

/** As the products were in November 2026. */
export function assistantGuides({ origin, keyPrefix }: Place): readonly Guide[] {
  const address = `${origin}${mcpPath}`;
  const bearer = `Bearer ${keyPrefix}…`;
  return [
    {
      id: 'claude',
      name: 'Claude',
      inCloud: true,
      metadataAddress: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      steps: [
        {
          say: text(
            'On claude.ai or in the Claude app on a computer, open Customize → Connectors, choose + and “Add custom connector”. In a Team or Enterprise plan one of its owners adds it first, under Organization settings → Connectors.',
            'Na claude.ai alebo v aplikácii Claude na počítači otvorte Customize → Connectors, zvoľte + a „Add custom connector“. V pláne Team alebo Enterprise ho najprv pridá jeho vlastník v časti Organization settings → Connectors.',
          ),
        },
        {
          say: text('Name it Dealkeep and paste this address:', 'Nazvite ho Dealkeep a vložte túto adresu:'),
          code: address,
        },
        {
          say: text(
            'If you are asked how Claude identifies itself, choose Anthropic’s hosted client metadata. Then “Connect”, sign in here and allow it. The phone has it, too.',
            'Ak sa objaví otázka, ako sa Claude preukáže, zvoľte metadáta klienta od Anthropicu („hosted client metadata“). Potom „Connect“, prihláste sa tu a povoľte ho. Bude aj v mobile.',
          ),
        },
      ],
    },
    {
      id: 'claude-code',
      name: 'Claude Code',
      inCloud: false,
      metadataAddress: 'https://claude.ai/oauth/claude-code-client-metadata',
      steps: [
        {
          say: text('Run in a terminal:', 'V termináli spustite:'),
          code: `claude mcp add --transport http dealkeep ${address}`,
        },
        {
          say: text(
            'Start Claude Code, type the command below, choose dealkeep, sign in in the browser and allow it.',
            'Spustite Claude Code, napíšte príkaz nižšie, zvoľte dealkeep, prihláste sa v prehliadači a povoľte ho.',
          ),
          code: '/mcp',
        },
        {
          say: text('Or, with an API key, instead of both:', 'Alebo namiesto toho s API kľúčom:'),
          code: `claude mcp add --transport http dealkeep ${address} --header "Authorization: ${bearer}"`,
        },
      ],
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      inCloud: false,
      steps: [
        {
          say: text(
            'This way goes from your computer, so it also works inside a company’s network. It needs Node.js and an API key. Open Settings → Developer → Edit Config and add:',
            'Táto cesta vedie z vášho počítača, preto funguje aj vo firemnej sieti. Potrebuje Node.js a API kľúč. Otvorte Settings → Developer → Edit Config a pridajte:',
          ),
          code: claudeDesktopFile(address, bearer),
        },
        {
          say: text(
            'Put your key in place of the dots, save, and start Claude Desktop anew.',
            'Namiesto bodiek vložte svoj kľúč, uložte a spustite Claude Desktop znova.',
          ),
        },
        {
          say: text(
            'Where the folder of Dealkeep itself stands on the computer, this does the same without mcp-remote:',
            'Kde je na počítači priečinok samotného Dealkeepu, urobí toto isté bez mcp-remote:',
          ),
          code: ownCommandFile(origin, `${keyPrefix}…`),
        },
      ],
    },
    {
      id: 'chatgpt',
      name: 'ChatGPT',
      inCloud: true,
      metadataAddress: 'https://chatgpt.com/oauth/client.json',
      steps: [
        {
          say: text(
            'On chatgpt.com open Plugins, choose + and “Add custom MCP server”. If it is not there, turn on the developer mode under Settings → Security and login; in a workspace its administrator may have to allow that.',
            'Na chatgpt.com otvorte Plugins, zvoľte + a „Add custom MCP server“. Ak tam nie je, zapnite vývojársky režim v Settings → Security and login; v pracovnom priestore ho možno musí povoliť správca.',
          ),
        },
        {
          say: text(
            'Name it Dealkeep, choose OAuth and leave the client’s id and secret empty. If you are asked, choose the Client ID Metadata Document. The server’s address is:',
            'Nazvite ho Dealkeep, zvoľte OAuth a id ani tajomstvo klienta nevypĺňajte. Ak sa objaví otázka, zvoľte Client ID Metadata Document. Adresa servera je:',
          ),
          code: address,
        },
        {
          say: text(
            'Confirm that you understand the risk, choose “Create as a plugin”, sign in here and allow it.',
            'Potvrďte, že rozumiete riziku, zvoľte „Create as a plugin“, prihláste sa tu a povoľte ho.',
          ),
        },
      ],
    },
    {
      id: 'n8n',
      name: 'n8n',
      inCloud: false,
      steps: [
        {
          say: text(
            'In a workflow with an AI Agent, add the tool “MCP Client Tool”. Its Endpoint is this, its Server Transport HTTP Streamable:',
            'Vo workflow s uzlom AI Agent pridajte nástroj „MCP Client Tool“. Jeho Endpoint je nižšie, Server Transport je HTTP Streamable:',
          ),
          code: address,
        },
        {
          say: text(
            'Under Authentication choose Bearer Auth, and make a credential with an API key as its token.',
            'V časti Authentication zvoľte Bearer Auth a vytvorte prihlasovacie údaje s API kľúčom ako tokenom.',
          ),
        },
        {
          say: text(
            'Under “Tools to Include” choose All, or Selected for the few that the agent needs.',
            'V časti „Tools to Include“ zvoľte All, alebo Selected pre niekoľko, ktoré agent potrebuje.',
          ),
        },
      ],
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      inCloud: false,
      metadataAddress: 'https://vscode.dev/oauth/client-metadata.json',
      steps: [
        {
          say: text(
            'Put this into the file .vscode/mcp.json of a project, or into the one that the command “MCP: Open User Configuration” opens:',
            'Toto vložte do súboru .vscode/mcp.json v projekte alebo do súboru, ktorý otvorí príkaz „MCP: Open User Configuration“:',
          ),
          code: vsCodeFile(address),
        },
        {
          say: text(
            'Choose Start above the entry, sign in in the browser and allow it.',
            'Nad položkou zvoľte Start, prihláste sa v prehliadači a povoľte ho.',
          ),
        },
        {
          say: text(
            'Or with an API key, which VS Code asks for once and keeps safe:',
            'Alebo s API kľúčom, na ktorý sa VS Code raz opýta a bezpečne ho uchová:',
          ),
          code: vsCodeFileWithKey(address),
        },
      ],
    },
  ];
}

/** `claude_desktop_config.json`. A header with a space in it comes apart on Windows, so it stands in a variable. */
function claudeDesktopFile(address: string, bearer: string): string {
  const variable = 'DEALKEEP_AUTHORIZATION';
  const args = ['-y', 'mcp-remote', address, '--header', `Authorization:\${${variable}}`];
  if (address.startsWith('http:')) args.push('--allow-http');
  return `{
  "mcpServers": {
    "dealkeep": {
      "command": "npx",
      "args": [${args.map((each) => JSON.stringify(each)).join(', ')}],
      "env": { "${variable}": "${bearer}" }
    }
  }
}`;
}

/** The same by `dealkeep mcp`. */
const ownCommandFile = (origin: string, key: string): string => `{
  "mcpServers": {
    "dealkeep": {
      "command": "npx",
      "args": ["--prefix", "/path/to/dealkeep", "dealkeep", "mcp"],
      "env": { "DEALKEEP_BASE_URL": "${origin}", "DEALKEEP_API_KEY": "${key}" }
    }
  }
}`;

const vsCodeFile = (address: string): string => `{
  "servers": {
    "dealkeep": { "type": "http", "url": "${address}" }
  }
}`;

/** VS Code asks for the key and puts it into the header. */
const vsCodeFileWithKey = (address: string): string => `{
  "inputs": [
    { "type": "promptString", "id": "dealkeep-key", "description": "Dealkeep API key", "password": true }
  ],
  "servers": {
    "dealkeep": {
      "type": "http",
      "url": "${address}",
      "headers": { "Authorization": "Bearer \${input:dealkeep-key}" }
    }
  }
}`;
