import {
  type CallToolResult,
  Client,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

export interface AssistantOptions {
  readonly path?: string;
  readonly revision?: 'modern' | 'legacy';
  /** What its user answers; without it, the client cannot ask anybody. */
  onAsked?(message: string): Promise<ElicitResult>;
}

/** An assistant that is connected with a key, as the protocol's own client speaks. */
export async function connectAssistant(
  baseUrl: string,
  key: string,
  { path = '/mcp', revision = 'modern', onAsked }: AssistantOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'assistant', version: '1' },
    {
      capabilities: onAsked ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: revision === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (onAsked) client.setRequestHandler('elicitation/create', ({ params }) => onAsked(params.message));
  const transport = new StreamableHTTPClientTransport(new URL(new URL(baseUrl).origin + path), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

/** What a call was refused with, as the model reads it; the call was not refused when it is undefined. */
export const refusalIn = (result: CallToolResult): string | undefined =>
  result.isError ? textOf(result) : undefined;

/** What the model reads of an answer. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((each) => (each.type === 'text' ? each.text : '')).join('\n');
