import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

test('a demo has activities: what is past is closed or canceled, what lies ahead is open', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { activities: count } = await seedDemo(dealkeep.core, organization.slug, 'small');
  expect(count).toBeGreaterThan(10);
  const activities = await api.walk('/activities');
  expect(activities).toHaveLength(count);
  const now = new Date().toISOString();
  for (const { status, start_at, end_at, completed_at, created_at, updated_at, type, lead } of activities) {
    expect(status === 'open').toBe(String(end_at) > now);
    expect(completed_at).toBe(status === 'closed' ? end_at : null);
    expect(String(created_at) < String(start_at)).toBe(true);
    expect(String(updated_at) <= now).toBe(true);
    expect(type).not.toBeNull();
    expect(lead).not.toBeNull();
  }
  expect(new Set(activities.map(({ status }) => status))).toEqual(new Set(['open', 'closed', 'canceled']));
});
