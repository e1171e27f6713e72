import { html } from 'hono/html';

/** Escaped HTML; nested values are escaped unless they are markup themselves. */
export type Markup = ReturnType<typeof html>;

/** What it is called, and what is known of it; one of which nothing is known is left out. */
export type Fact = readonly [label: string, value: Markup | string | undefined, look?: 'wide' | undefined];

/** Facts about one thing, each with its label above it. */
export const factList = (facts: readonly Fact[]): Markup =>
  html`<dl>${facts
    .filter(([, value]) => value !== undefined && value !== '')
    .map(
      ([label, value, look]) =>
        html`<div${look ? html` class="${look}"` : ''}><dt>${label}</dt><dd>${value}</dd></div>`,
    )}</dl>`;
