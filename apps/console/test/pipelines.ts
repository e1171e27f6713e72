import type { LookupOwner } from './lookup-owner.ts';

export interface Stage {
  readonly id: string;
  readonly name: string;
  readonly kind: 'open' | 'won' | 'lost';
}

/** The pipelines of an owner, as the API lists them. */
export const pipelinesOf = async ({ listed }: LookupOwner) => [...(await listed('/pipelines')).values()];

/** Makes and reads pipelines of an owner. */
export function pipelinesBy(owner: LookupOwner) {
  const pipelineOf = async (id: string) => (await pipelinesOf(owner)).find((each) => each['id'] === id);
  const stagesOf = async (id: string): Promise<Stage[]> => Object((await pipelineOf(id))?.['stages']);
  return {
    pipelineOf,
    stagesOf,
    namesOf: async (id: string): Promise<string[]> => (await stagesOf(id)).map(({ name }) => name),
    /** A pipeline with the usual stages, by their names. */
    pipeline: async (name: string) => {
      const id = await owner.idOf('pipelines', { name });
      const stages = new Map((await stagesOf(id)).map((stage) => [stage.name, stage.id]));
      const stage = (called: string): string => stages.get(called) ?? '';
      return { id, path: `pipelines/${id}/stages`, stage };
    },
  };
}
