import type { IExecuteFunctions } from 'n8n-workflow';
import { ParameterProblem } from '../failure.ts';
import { jsonList, jsonParameters } from '../parameters/json-list.ts';
import { idOf } from '../parameters/locator.ts';
import { type Purpose, toApiFields, toApiValue } from '../parameters/to-api-value.ts';
import { type ApiFields, isRecord, type JsonRecord } from '../record.ts';
import type { Field, Operation } from '../tables.ts';

/** The parameters of one item, read for one operation. */
export class ItemParameters {
  readonly #context: IExecuteFunctions;
  readonly #item: number;
  readonly #operation: Operation;

  constructor(context: IExecuteFunctions, item: number, operation: Operation) {
    this.#context = context;
    this.#item = item;
    this.#operation = operation;
  }

  get #purpose(): Purpose {
    return { clears: this.#operation.method === 'PATCH', timeZone: this.#context.getTimezone() };
  }

  /** A parameter as n8n gives it, expressions resolved. */
  value(parameter: string): unknown {
    return this.#context.getNodeParameter(parameter, this.#item, undefined);
  }

  /** The values of a collection; empty when it is not set. */
  collection(parameter: string): JsonRecord {
    const value: unknown = this.#context.getNodeParameter(parameter, this.#item, {});
    return isRecord(value) ? value : {};
  }

  /** The operation's path with the chosen record in it. */
  path(): string {
    return this.#operation.inPath.reduce((path, field) => {
      const id = idOf(this.value(field.parameter), field.label);
      if (id === undefined) {
        throw new ParameterProblem(
          `${field.label}: nothing is chosen`,
          `Choose from the list, or let an expression give the ID. An empty value often means that the input item has no such field.`,
        );
      }
      return path.replace(`{${field.placeholder}}`, encodeURIComponent(id));
    }, this.#operation.path);
  }

  /** The body: the required fields, then those of the collection. Undefined when the operation takes none. */
  body(): ApiFields | undefined {
    const { required, optional, collection } = this.#operation;
    if (required.length + optional.length === 0) return undefined;
    return {
      ...this.fields(required),
      ...(collection ? toApiFields(optional, this.collection(collection), this.#purpose) : {}),
    };
  }

  /** Fields that stand on top and may be empty, or filled by an expression that gives nothing for this item. */
  given(fields: readonly Field[]): ApiFields {
    return this.fields(fields.filter(({ parameter }) => this.value(parameter) !== undefined));
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
    if (this.#operation.query) {
      return toApiFields(this.#operation.query, this.collection('options'), this.#purpose);
    }
    const filters = toApiFields(
      this.#operation.list?.filters ?? [],
      this.collection('filters'),
      this.#purpose,
    );
    const sort = this.collection('sort')['values'];
    if (!isRecord(sort) || typeof sort['field'] !== 'string') return filters;
    return { ...filters, sort: `${sort['direction'] === 'ascending' ? '' : '-'}${sort['field']}` };
  }

  /** How many records are wanted; undefined for all. */
  limit(): number | undefined {
    if (this.value('returnAll') === true) return undefined;
    const limit = Number(this.value('limit'));
    if (Number.isInteger(limit) && limit > 0) return limit;
    throw new ParameterProblem(
      'Limit: a whole number above 0 is wanted',
      'Correct the limit, or turn on Return All.',
    );
  }
}
