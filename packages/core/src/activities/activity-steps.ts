import type { Activity } from '@dealkeep/contract';

/** What can be done with an activity as it is: once closed or canceled, it stays so. */
export const possibleActivitySteps = ({ status }: Pick<Activity, 'status'>): ('complete' | 'cancel')[] =>
  status === 'open' ? ['complete', 'cancel'] : [];
