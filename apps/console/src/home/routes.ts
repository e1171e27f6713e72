import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ConsoleEnvironment } from '../context.ts';
import { page } from '../page.ts';
import { say } from '../texts.ts';

/** What happened, what fails, what to do next. */
export function homeRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/', (c) => {
    const text = say(c.get('language'));
    return page(c, { title: text('home'), content: html`<h1>${text('home')}</h1>` });
  });
}
