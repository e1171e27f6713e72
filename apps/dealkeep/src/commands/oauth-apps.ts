import { oauthScopes } from '@dealkeep/contract';
import {
  createDocumentedApp,
  createOAuthApp,
  listOAuthApps,
  removeOAuthApp,
  rotateOAuthAppSecret,
} from '@dealkeep/core/accounts';
import { OperatorError } from '@dealkeep/core/foundations';
import type { Command } from 'commander';
import { answers, type Operator } from './operator.ts';

interface CreateOptions {
  name?: string;
  redirectUri?: string;
  scopes?: string;
  public?: boolean;
  metadataUrl?: string;
}

export function oauthAppCommands(program: Command): void {
  const group = program
    .command('oauth-apps')
    .description('register applications that people can connect to their account');
  answers<CreateOptions>(
    group
      .command('create')
      .description('register an application; its secret is shown only now')
      .option('--metadata-url <url>', 'an assistant’s own description, its client_id (instead of a name)')
      .option('--name <name>', 'what people are asked about, such as Zapier')
      .option('--redirect-uri <list>', 'where people are sent back to, separated by commas')
      .option('--scopes <list>', 'what it may ask for, separated by commas; all without a secret')
      .option('--public', 'it runs on people’s own machines and gets no secret'),
    (operator, options) => create(operator, options),
  );
  answers(group.command('list').description('all applications'), ({ sql }) => listOAuthApps(sql));
  answers(
    group
      .command('rotate-secret')
      .argument('<client-id>')
      .description('give an application a new secret; the old one ends at once'),
    ({ sql }, _options, clientId = '') => rotateOAuthAppSecret(sql, clientId),
  );
  answers(
    group
      .command('remove')
      .argument('<client-id>')
      .description('remove an application; its tokens and REST hooks end at once'),
    (operator, _options, clientId = '') => removeOAuthApp(operator, clientId),
  );
}

async function create(
  operator: Operator,
  { name, redirectUri, scopes, metadataUrl, public: isPublic = false }: CreateOptions,
): Promise<object> {
  const given = scopes === undefined ? undefined : listed(scopes);
  if (metadataUrl !== undefined) {
    const other = Object.entries({ name, redirect_uri: redirectUri }).find(
      ([, value]) => value !== undefined,
    );
    if (other)
      throw new OperatorError('stands in the document that --metadata-url names', { field: other[0] });
    return createDocumentedApp(operator, { metadataUrl, scopes: given });
  }
  if (name === undefined) throw new OperatorError('or --metadata-url must be given', { field: 'name' });
  if (redirectUri === undefined) throw new OperatorError('must be given', { field: 'redirect_uri' });
  if (!given && !isPublic) throw new OperatorError('must be given', { field: 'scopes' });
  const redirectUris = listed(redirectUri);
  return createOAuthApp(operator, { name, redirectUris, scopes: given ?? oauthScopes, isPublic });
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
