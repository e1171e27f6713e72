import {
  bareSchema,
  describe,
  exampleOf,
  type Reference,
  type ReferenceName,
  text,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { SearchDeclaration } from '../catalog/searches.ts';
import type { ApiRecord } from '../records/api-record.ts';
import { resourceSample } from '../records/resource-sample.ts';
import { sampleOf } from '../records/sample-of.ts';
import { referenceNamed, referenceOf } from '../references.ts';
import { answeredSchema, labelOfResource, operationOf } from '../registry.ts';

/** What a search finds. */
export interface Searched {
  /** `lead-origin`, `stage` */
  readonly name: ReferenceName;
  /** `Lead Origin` */
  readonly label: string;
  readonly reference: Reference;
  /** A record as it is found; one that stands inside another one tells which. */
  readonly schema: z.ZodObject;
}

export function searchedBy({ list, inside }: SearchDeclaration): Searched {
  const { resource } = operationOf(list);
  const name = inside ?? referenceNamed(resource);
  if (name === undefined) throw new Error(`No dropdown lists the records of "${resource}".`);
  const schema = inside ? innerSchema(resource, inside) : answeredSchema(resource);
  return { name, label: labelOfResource(name), reference: referenceOf(name), schema };
}

/** `find_lead_origin`, `find_stage` */
export const searchKey = (declaration: SearchDeclaration): string =>
  `find_${searchedBy(declaration).name.replaceAll('-', '_')}`;

/** A believable record as a search finds it. */
export function searchSample(declaration: SearchDeclaration): ApiRecord {
  if (!declaration.inside) return resourceSample(operationOf(declaration.list).resource);
  return sampleOf(searchedBy(declaration).schema);
}

/** A stage with the id and the name of its pipeline. */
function innerSchema(resource: string, inside: ReferenceName): z.ZodObject {
  const owner = answeredSchema(resource);
  const items = owner.shape[referenceOf(inside).items ?? ''];
  const list = items && bareSchema(items).bare;
  const element = list instanceof z.ZodArray ? bareSchema(list.element).bare : undefined;
  if (!(element instanceof z.ZodObject)) throw new Error(`Nothing of "${inside}" stands in a ${resource}.`);
  return z.object({ ...element.shape, [resource]: nameAndId(resource) });
}

/** The record around the one that is found, as records name others. */
function nameAndId(resource: string): z.ZodObject {
  const example = Object(exampleOf(answeredSchema(resource)));
  const label = labelOfResource(resource);
  const part = (name: string) => text(`${label} ${name}`, `${label} ${name}`);
  return describe(
    z.object({
      id: describe(z.uuid(), { label: part('ID'), example: example.id }),
      name: describe(z.string(), { label: part('Name'), example: example.name }),
    }),
    { label: text(label, label) },
  );
}
