// What posting signed bodies costs without anything around it: `bare-loop-process.ts URL CONCURRENCY`. Posts as many
// as each line of stdin says, and answers with a line when they are answered.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import { benchEnvelope } from './envelope.ts';

const [url = '', concurrency = ''] = process.argv.slice(2);
const dispatcher = new Agent();
const standard = createSecretKey(randomBytes(32));
const older = createSecretKey(randomBytes(50));
let next = 0;
let end = 0;

async function sendOn(): Promise<void> {
  while (next < end) {
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

for await (const count of createInterface(process.stdin)) {
  end = next + Number(count);
  await Promise.all(Array.from({ length: Number(concurrency) }, sendOn));
  process.stdout.write('done\n');
}
await dispatcher.close();
