// What every figure is a ratio to: the least that Hono can answer. A process of its own, as the API.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono().get('/', (c) => c.text('hello'));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.stdout.write(`${port}\n`));
