import type { html } from 'hono/html';

/** Escaped HTML; nested values are escaped unless they are markup themselves. */
export type Markup = ReturnType<typeof html>;
