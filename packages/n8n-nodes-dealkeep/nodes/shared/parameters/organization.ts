import { ApiFailure } from '../failure.ts';
import { valueAt } from '../record.ts';
import type { Field, FieldKind } from '../tables.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';

/** A field of companies that the organization has added. */
export interface CustomField extends Field {
  /** Of a choice: the values that it takes. */
  readonly choices: readonly string[];
}

const organizations = new WeakMap<DealkeepApi, Organization>();

/** What an organization has named itself: its custom fields and its tags. Each is loaded once, when it is needed. */
export class Organization {
  readonly #api: DealkeepApi;
  #customFields: Promise<readonly CustomField[]> | undefined;
  #tagNames: Promise<ReadonlyMap<string, string>> | undefined;

  private constructor(api: DealkeepApi) {
    this.#api = api;
  }

  /** The same for all items of an execution, as they share their access to the API. */
  static of(api: DealkeepApi): Organization {
    const organization = organizations.get(api) ?? new Organization(api);
    organizations.set(api, organization);
    return organization;
  }

  customFields(): Promise<readonly CustomField[]> {
    this.#customFields ??= this.#all('/custom-fields').then((found) => found.map(customField));
    return this.#customFields;
  }

  /** The names of tags by their ids. */
  tagNames(): Promise<ReadonlyMap<string, string>> {
    this.#tagNames ??= this.#all('/tags').then(
      (found) => new Map(found.map((tag) => [textAt(tag, 'id'), textAt(tag, 'name')])),
    );
    return this.#tagNames;
  }

  /** Whether a text is the name of a tag. Who may not read tags is not told, and nothing is known to be one. */
  async isTag(text: string): Promise<boolean> {
    const names = await this.tagNames().catch((error: unknown) => {
      if (error instanceof ApiFailure && error.status === 403) return new Map<string, string>();
      throw error;
    });
    const wanted = text.trim().toLowerCase();
    return [...names.values()].some((name) => name.toLowerCase() === wanted);
  }

  async #all(path: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for await (const each of listRecords(this.#api, { path, paged: true, query: {}, limit: undefined })) {
      found.push(each);
    }
    return found;
  }
}

/** What the API calls the kinds of custom fields; one that is newer than this node is written as text. */
const kinds: Readonly<Record<string, FieldKind>> = { number: 'number', date: 'date', checkbox: 'boolean' };

function customField(found: unknown): CustomField {
  const name = textAt(found, 'name');
  const choices = valueAt(found, 'choices');
  return {
    name,
    parameter: name,
    label: name,
    kind: kinds[textAt(found, 'kind')] ?? 'text',
    nullable: true,
    choices: Array.isArray(choices) ? choices.map(String) : [],
  };
}

const textAt = (value: unknown, path: string): string => String(valueAt(value, path) ?? '');
