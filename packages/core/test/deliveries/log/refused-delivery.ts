import { eventually, startHookReceiver, type TestDealkeep } from '@dealkeep/testing';
import { expect } from 'vitest';
import { subscribe } from '../subscriber.ts';

/** A hook whose receiver refused one lead, with no retry left that could come between. */
export async function refusedDelivery(dealkeep: TestDealkeep) {
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  receiver.answerWith({ status: 500, body: 'busy' });
  const lead = await subscriber.createLead();
  await subscriber.logged(1);
  await eventually(async () => expect(await subscriber.pending()).toMatchObject([{ worker_id: null }]));
  const event = receiver.requests[0]?.envelope.id ?? '';
  const hook = `/webhooks/${subscriber.hookId}`;
  /** Everybody who is not the credential that made the hook. */
  const others = async () => {
    const colleague = dealkeep.as((await subscriber.organization.createKey({ name: 'Other' })).token);
    const stranger = dealkeep.as((await dealkeep.createOrganization()).key);
    return [colleague, stranger];
  };
  return { ...subscriber, receiver, lead, event, hook, resend: `${hook}/deliveries/${event}/resend`, others };
}
