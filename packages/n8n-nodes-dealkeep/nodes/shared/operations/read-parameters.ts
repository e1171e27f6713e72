import { filledPath } from '@dealkeep/client/transport';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ParameterProblem } from '../failure.ts';
import { customValues } from '../parameters/custom-values.ts';
import type { ChosenFilter } from '../parameters/event-filters.ts';
import { jsonList, jsonParameters } from '../parameters/json-list.ts';
import { idOf } from '../parameters/locator.ts';
import { mapColumns } from '../parameters/mapped-columns.ts';
import type { Organization } from '../parameters/organization.ts';
import {
  eventFilters,
  givesNothing,
  type Purpose,
  parts,
  toApiFields,
  toApiValue,
} from '../parameters/to-api-value.ts';
import { type ApiFields, isRecord, type JsonRecord } from '../record.ts';
import type { Field, Operation } from '../tables.ts';
import { clearedFields } from './clear-fields.ts';
import { isTool } from './is-tool.ts';

/** Every field of an operation's body, once. */
export const fieldsOf = ({ required, optional, top = [] }: Operation): readonly Field[] => [
  ...new Map([...required, ...top, ...optional].map((each) => [each.name, each])).values(),
];

const isId = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

/** What n8n gives of a parameter that the form does not show. No expression can give it. */
const hidden = 'dealkeep: this parameter is hidden';

const nothingChosen = (label: string): ParameterProblem =>
  new ParameterProblem(
    `${label}: nothing is chosen`,
    'Choose from the list, or let an expression give the ID. An empty value often means that the input item has no such field.',
  );

/** The collections, as the form calls them. */
const collectionLabels = {
  additionalFields: 'Additional Fields',
  updateFields: 'Update Fields',
  filters: 'Filters',
  options: 'Options',
  sort: 'Sort',
  mapping: 'Fields',
};

/** Of how many records a tool that was given no limit reads. */
const defaultLimit = 50;

/** The parameters of one item, read for one operation. */
export class ItemParameters {
  readonly #context: IExecuteFunctions;
  readonly #item: number;
  readonly #operation: Operation;
  readonly #organization: Organization;

  constructor(context: IExecuteFunctions, item: number, operation: Operation, organization: Organization) {
    this.#context = context;
    this.#item = item;
    this.#operation = operation;
    this.#organization = organization;
  }

  /** What a tool leaves empty changes nothing: the agent did not know it. */
  get #purpose(): Purpose {
    const timeZone = this.#context.getTimezone();
    if (this.#isTool) return { empty: 'leave', absent: 'leave', timeZone };
    return { empty: this.#operation.method === 'PATCH' ? 'clear' : 'leave', absent: 'refuse', timeZone };
  }

  get #isTool(): boolean {
    return isTool(this.#context);
  }

  /** A parameter as n8n gives it, expressions resolved. */
  value(parameter: string): unknown {
    return this.#context.getNodeParameter(parameter, this.#item, undefined);
  }

  /** A parameter that the node may not show; null then. */
  valueIfShown(parameter: string): unknown {
    return this.#context.getNodeParameter(parameter, this.#item, null);
  }

  /** The values of a collection; empty when it is not set. */
  collection(parameter: keyof typeof collectionLabels): JsonRecord {
    const value: unknown = this.#context.getNodeParameter(parameter, this.#item, {});
    if (value === undefined && !this.#isTool) throw givesNothing(collectionLabels[parameter]);
    return isRecord(value) ? value : {};
  }

  /** The operation's path with the chosen record in it. */
  path(): string {
    const { path, inPath } = this.#operation;
    const chosen = this.chosen();
    return filledPath(
      path,
      (name) => chosen[name],
      (name) => nothingChosen(inPath.find(({ placeholder }) => placeholder === name)?.label ?? name),
    );
  }

  /** What the path of the operation names, as fields of a body: an item of a batch names its record so. */
  chosen(): ApiFields {
    return Object.fromEntries(
      this.#operation.inPath.map((field) => [field.placeholder, this.#chosen(field)]),
    );
  }

  #chosen(field: Field): string {
    const id = idOf(this.value(field.parameter), field.label);
    if (id !== undefined) return id;
    throw nothingChosen(field.label);
  }

  /** The body: of the parameters, or of the columns of the input. Undefined when the operation takes none. */
  async body(): Promise<ApiFields | undefined> {
    const { required, optional, top = [], sends, always = [], mapped } = this.#operation;
    if (sends) return sends;
    if (required.length + optional.length + top.length === 0) return undefined;
    const mapping = mapped ? this.collection('mapping') : {};
    const fields =
      mapping['mappingMode'] === 'autoMapInputData' ? await this.#columns() : await this.#oneByOne(mapping);
    return { ...this.fields(always), ...(await this.#withNames(fields)) };
  }

  /** What events are filtered by, with what shows its choices. */
  eventFilters(): readonly ChosenFilter[] {
    const { optional, collection } = this.#operation;
    const field = optional.find(({ kind }) => kind === 'eventFilters');
    const value = field && collection ? this.collection(collection)[field.parameter] : undefined;
    return field && isRecord(value) ? eventFilters(field, value, this.#purpose) : [];
  }

  /** The required fields, then those that stand on top, those of the collection, and the custom ones. */
  async #oneByOne(mapping: JsonRecord): Promise<ApiFields> {
    const { required, optional, top = [], collection, customFields } = this.#operation;
    const own = customFields && isRecord(mapping['value']) ? mapping['value'] : {};
    const custom = await customValues(own, this.#organization, this.#purpose);
    const inside = collection ? this.collection(collection) : {};
    return {
      ...clearedFields(optional, inside, this.#purpose),
      ...toApiFields(optional, inside, this.#purpose),
      ...this.#given(top),
      ...this.fields(required),
      ...(custom ? { custom_fields: custom } : {}),
    };
  }

  #columns(): Promise<ApiFields> {
    const { inPath, customFields } = this.#operation;
    const target = {
      fields: fieldsOf(this.#operation),
      identity: inPath.flatMap(({ placeholder, parameter }) => [placeholder, parameter]),
      ignoresOthers: this.value('unknownColumns') === 'ignore',
      ...(customFields ? { organization: this.#organization } : {}),
    };
    return mapColumns(this.#context.getInputData()[this.#item]?.json ?? {}, target, this.#purpose);
  }

  /**
   * Records that are called by their names may be given by their ids, and several in one text, separated by commas.
   */
  async #withNames(fields: ApiFields): Promise<ApiFields> {
    const result: Record<string, unknown> = { ...fields };
    for (const { name, kind } of fieldsOf(this.#operation)) {
      if (kind !== 'names' || (fields[name] ?? null) === null) continue;
      const given = await this.#namesIn(fields[name]);
      const names = given.some(isId) ? await this.#organization.tagNames() : undefined;
      result[name] = given.map((each) => names?.get(String(each).toLowerCase()) ?? each);
    }
    return result;
  }

  /** A list holds whole names, also with commas in them. A text is one name if there is such a tag. */
  async #namesIn(given: unknown): Promise<readonly unknown[]> {
    if (Array.isArray(given)) return given;
    const text = String(given);
    return text.includes(',') && (await this.#organization.isTag(text)) ? [text] : parts(text);
  }

  /** Fields that stand on top and may be hidden. */
  #given(fields: readonly Field[]): ApiFields {
    const isShown = ({ parameter }: Field): boolean =>
      this.#context.getNodeParameter(parameter, this.#item, hidden) !== hidden;
    return this.fields(fields.filter(isShown));
  }

  /** Fields that stand on top. */
  fields(fields: readonly Field[]): ApiFields {
    const entries = fields.map((field) => [field.name, this.#field(field)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  #field(field: Field): unknown {
    const { mode, json } = jsonParameters(field);
    return field.kind === 'objects' && this.value(mode) === 'json'
      ? jsonList(field, this.value(json))
      : toApiValue(field, this.value(field.parameter), this.#purpose);
  }

  /** The filters and the sort of a list, the options of what is none. */
  query(): ApiFields {
    const { list, asked = [], query } = this.#operation;
    if (query ?? asked.length > 0) {
      return {
        ...this.fields(asked),
        ...toApiFields(query ?? [], this.collection('options'), this.#purpose),
      };
    }
    const purpose: Purpose = this.#isTool ? this.#purpose : { ...this.#purpose, empty: 'refuse' };
    const filters = toApiFields(list?.filters ?? [], this.collection('filters'), purpose);
    const sort = this.collection('sort')['values'];
    if (!isRecord(sort) || typeof sort['field'] !== 'string') return filters;
    return { ...filters, sort: `${sort['direction'] === 'ascending' ? '' : '-'}${sort['field']}` };
  }

  /** How many records are wanted; undefined for all. */
  limit(): number | undefined {
    if (this.value('returnAll') === true) return undefined;
    const given = this.value('limit');
    if (this.#isTool && (given ?? '') === '') return defaultLimit;
    const limit = Number(given);
    if (Number.isInteger(limit) && limit > 0) return limit;
    throw new ParameterProblem(
      'Limit: a whole number above 0 is wanted',
      'Correct the limit, or turn on Return All.',
    );
  }
}
