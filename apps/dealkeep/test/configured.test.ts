import { expect, test } from 'vitest';
import { documented } from './servers/configured.ts';

test('a port that is put into a documented configuration is not taken for one that is still to be put there', async () => {
  const ports = ['30021', '30031', '11757'];
  const text = await documented(
    'haproxy.cfg',
    ports.map((port, at) => [`127.0.0.1:300${at + 1}`, `127.0.0.1:${port}`]),
  );
  const used = Array.from(text.matchAll(/server (api\d) 127\.0\.0\.1:(\d+)$/gm), ([, , port]) => port);
  expect(used).toEqual([...ports, ...ports]);
});
