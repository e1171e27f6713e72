import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@dealkeep/testing';
import { expect, onTestFinished } from 'vitest';

export interface Post {
  headers: Record<string, string>;
  body: string;
  name: string;
}

/** A program on the developer's machine that takes webhooks. Ends with the test. */
export async function startLocalProgram(answer: (post: Post) => number | 'hang' = () => 200) {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const post = { headers, body, name: JSON.parse(body).data.name };
    posts.push(post);
    const status = answer(post);
    if (status !== 'hang') response.writeHead(status).end(status === 200 ? '' : 'Not\nyet');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?a=b`,
    posts,
    /** Waits until so many posts have come. */
    async received(count: number): Promise<Post[]> {
      await eventually(() => expect(posts.length).toBeGreaterThanOrEqual(count));
      return posts;
    },
  };
}
