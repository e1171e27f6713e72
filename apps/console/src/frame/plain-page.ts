import type { Language } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type AssetName, assetAddress } from '../assets.ts';
import type { ConsoleContext } from '../context.ts';
import { languageSwitch } from '../language.ts';
import type { Markup } from '../markup.ts';
import { say } from '../texts.ts';

const scriptTag = (script: AssetName): Markup =>
  html`<script type="module" src="${assetAddress(script)}"></script>`;

/** The frame of every page. */
export const documentOf = (
  language: Language,
  { title, body, scripts = [] }: { title: string; body: Markup; scripts?: readonly AssetName[] },
): Markup => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title} · Dealkeep</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${assetAddress('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetAddress('console.css')}">
${['console.js' as const, ...scripts].map(scriptTag)}
</head>
${body}
</html>
`;

/** A page without navigation: signing in, consent, messages. */
export async function plainPage(
  c: ConsoleContext,
  { title, content }: { title: string; content: Markup },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const body = html`<body class="plain">
<main>
<p class="brand">Dealkeep</p>
<h1>${title}</h1>
${content}
</main>
<footer>${languageSwitch(c)}</footer>
</body>`;
  return c.html(await documentOf(c.get('language'), { title, body }), status);
}

/** A page that says one thing: something was not found, was refused, or went wrong. */
export function messagePage(
  c: ConsoleContext,
  { title, sentence }: { title: string; sentence: string },
  status: ContentfulStatusCode,
): Promise<Response> {
  const text = say(c.get('language'));
  return plainPage(
    c,
    { title, content: html`<p>${sentence}</p><p><a href="/">${text('toHome')}</a></p>` },
    status,
  );
}
