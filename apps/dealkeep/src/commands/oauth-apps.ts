import { createOAuthApp, listOAuthApps, rotateOAuthAppSecret } from '@dealkeep/core';
import type { Command } from 'commander';
import { answers } from './operator.ts';

export function oauthAppCommands(program: Command): void {
  const group = program
    .command('oauth-apps')
    .description('register applications that people can connect to their account');
  answers<{ name: string; redirectUri: string; scopes: string }>(
    group
      .command('create')
      .description('register an application; its secret is shown only now')
      .requiredOption('--name <name>', 'what people are asked about, such as Zapier')
      .requiredOption('--redirect-uri <list>', 'where people are sent back to, separated by commas')
      .requiredOption('--scopes <list>', 'what it may ask for, separated by commas'),
    (operator, { name, redirectUri, scopes }) =>
      createOAuthApp(operator, { name, redirectUris: listed(redirectUri), scopes: listed(scopes) }),
  );
  answers(group.command('list').description('all applications'), ({ sql }) => listOAuthApps(sql));
  answers(
    group
      .command('rotate-secret')
      .argument('<client-id>')
      .description('give an application a new secret; the old one ends at once'),
    ({ sql }, _options, clientId = '') => rotateOAuthAppSecret(sql, clientId),
  );
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
