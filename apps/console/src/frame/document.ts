import type { Language } from '@dealkeep/contract';
import { html } from 'hono/html';
import { assetAddress } from '../assets.ts';
import type { Markup } from '../markup.ts';

/** The frame of every page. */
export const documentOf = (
  language: Language,
  { title, body }: { title: string; body: Markup },
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
<script type="module" src="${assetAddress('console.js')}"></script>
</head>
${body}
</html>
`;
