// What posting signed bodies costs without anything around it: `bare-loop.ts URL COUNT CONCURRENCY`.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { benchEnvelope } from './envelope.ts';

const [url = '', count = '', concurrency = ''] = process.argv.slice(2);
const dispatcher = new Agent();
const standard = createSecretKey(randomBytes(32));
const older = createSecretKey(randomBytes(50));
let next = 0;

async function sendOn(): Promise<void> {
  while (next < Number(count)) {
    next += 1;
    const id = `evt_${next}`;
    const body = benchEnvelope(id);
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', standard).update(`${id}.${timestamp}.${body}`).digest('base64');
    const answer = await request(`${url}/hook`, {
      method: 'POST',
      dispatcher,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
        'x-service-event': 'lead.created',
        'x-service-attempt': '1',
        'x-service-signature': `sha256=${createHmac('sha256', older).update(body).digest('hex')}`,
      },
    });
    await answer.body.dump();
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, sendOn));
await dispatcher.close();
