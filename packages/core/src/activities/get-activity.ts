import { reads } from '../verb/verb.ts';
import { readActivity } from './activity-record.ts';

export const getActivity = reads('activities.get', (context, { path }) => readActivity(context, path.id));
