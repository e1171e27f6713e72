import type { ApiClient } from '../api-client.ts';

/** The default pipeline of an organization: its id and the ids of its stages by name. */
export async function defaultPipeline(
  api: ApiClient,
): Promise<{ id: string; stages: Record<string, string> }> {
  const { page } = await api.get('/pipelines');
  const found = page.data.find((pipeline) => pipeline.is_default);
  if (!found) throw new Error('The organization has no default pipeline');
  return { id: found.id, stages: Object.fromEntries(found.stages.map(({ id, name }) => [name, id])) };
}

export async function lostReason(api: ApiClient, name = 'Price'): Promise<string> {
  const { page } = await api.get('/lost-reasons', { q: name });
  const [first] = page.data;
  if (!first) throw new Error(`There is no lost reason ${name}`);
  return first.id;
}
