import { createApiKey } from '@dealkeep/core/accounts';
import type { TestDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { addUser } from '../console-edits.ts';

export const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A business with what an activity can refer to. */
export async function openCalendar(dealkeep: TestDealkeep) {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const company = (await api.post('/companies', { name: 'Acme' })).data;
  const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
  const lead = (await api.post('/leads', { name: 'Bikes', company_id: company.id })).data;
  const type = (await api.get('/activity-types', { q: 'Meeting' })).page.data[0];
  if (!type) throw new Error('There is no activity type Meeting');
  const marek = await addUser({ dealkeep, organization }, 'Marek', {
    email: `marek@${organization.slug}.example`,
  });
  const { token } = await createApiKey(dealkeep.core, {
    organization: organization.slug,
    user: `marek@${organization.slug}.example`,
    name: 'Key of Marek',
    grant: { preset: 'automation' },
  });
  return {
    ...business,
    company,
    contact,
    lead,
    type: { id: type.id, name: type.name },
    jana: { id: organization.ownerId, name: 'Jana Horváthová' },
    marek: { id: marek, name: 'Marek' },
    /** Calls as Marek, who is not the owner of the organization. */
    apiOfMarek: dealkeep.as(token),
  };
}

/** With an activity from nine to ten, in a business that others have, too, or in one of its own. */
export async function openActivity(calendar: Awaited<ReturnType<typeof openCalendar>>) {
  const { api, organization } = calendar;
  const activity = (
    await api.post('/activities', {
      name: 'Presentation',
      start_at: '2026-10-05T09:00:00.000Z',
      end_at: '2026-10-05T10:00:00.000Z',
      note: 'Old',
    })
  ).data;
  return {
    ...calendar,
    activity,
    /** As the console names it. */
    place: { id: organization.id, slug: organization.slug },
    patch: (body: object) => api.patch(`/activities/${activity.id}`, body),
    complete: () => api.post(`/activities/${activity.id}/complete`),
    read: () => api.get(`/activities/${activity.id}`),
  };
}
