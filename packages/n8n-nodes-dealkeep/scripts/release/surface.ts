import { actionDescription } from '../../nodes/shared/generated/action-description.ts';
import { triggerDescription } from '../../nodes/shared/generated/trigger-description.ts';
import { generatedFiles } from '../generate/files.ts';

/** A parameter of n8n as far as workflows rely on it. */
interface Parameter {
  readonly name: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly options?: readonly object[];
}

const schemas = /^Dealkeep\/__schema__\/[^/]+\/(.+)\/(.+)\.json$/;

/**
 * What workflows rely on: operations with their parameters, choices and outputs, and the trigger with its events.
 */
export function n8nSurface(): Record<string, string> {
  const surface: Record<string, string> = { trigger: 'trigger' };
  for (const [path, content] of generatedFiles()) {
    const [, resource, operation] = schemas.exec(path) ?? [];
    if (resource === undefined) continue;
    surface[`${resource}.${operation}`] = 'operation';
    addOutputs(surface, `${resource}.${operation}, output `, JSON.parse(content));
  }
  for (const each of triggerDescription) addParameter(surface, 'trigger, parameter ', each);
  for (const each of actionDescription) {
    const { resource = [], operation = [] } = each.displayOptions?.show ?? {};
    for (const owner of resource) {
      for (const name of operation) addParameter(surface, `${owner}.${name}, parameter `, each);
    }
  }
  return surface;
}

/** The same parameter can stand in several forms of an operation; it is required where all require it. */
function addParameter(surface: Record<string, string>, place: string, each: Parameter): void {
  const where = `${place}${each.name}`;
  const type = each.type ?? 'group';
  surface[where] = each.required && surface[where] !== type ? `${type}, required` : type;
  for (const option of each.options ?? []) {
    if ('value' in option) surface[`${where}, choice ${option.value}`] = 'choice';
    else if ('values' in option && 'name' in option && Array.isArray(option.values)) {
      for (const inner of option.values) addParameter(surface, `${where}.${option.name}.`, inner);
    } else if (isParameter(option)) addParameter(surface, `${where}.`, option);
  }
}

const isParameter = (option: object): option is Parameter => 'name' in option && 'type' in option;

function addOutputs(surface: Record<string, string>, place: string, schema: unknown): void {
  const { properties = {}, items }: { properties?: object; items?: unknown } = Object(schema);
  if (items !== undefined) addOutputs(surface, `${place}[].`, items);
  for (const [name, member] of Object.entries(properties)) {
    surface[`${place}${name}`] = [Object(member)['type']].flat().sort().join(' or ');
    addOutputs(surface, `${place}${name}.`, member);
  }
}
