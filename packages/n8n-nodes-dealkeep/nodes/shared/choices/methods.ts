import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { loads, searches } from '../generated/choices.ts';
import { nodeError } from '../node-error.ts';
import type { Choices } from '../tables.ts';
import { editorPatience } from '../transport/patience.ts';
import { DealkeepApi } from '../transport/request.ts';
import { loadChoices, searchChoices } from './load-choices.ts';

type SearchMethod = (
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
) => Promise<INodeListSearchResult>;

type LoadMethod = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

const searchMethod = (choices: Choices): SearchMethod =>
  async function (filter, paginationToken) {
    try {
      const api = new DealkeepApi(this, editorPatience);
      return await searchChoices(this, api, choices, filter, paginationToken);
    } catch (error) {
      throw nodeError(this.getNode(), error);
    }
  };

const loadMethod = (choices: Choices): LoadMethod =>
  async function () {
    try {
      return await loadChoices(this, new DealkeepApi(this, editorPatience), choices);
    } catch (error) {
      throw nodeError(this.getNode(), error);
    }
  };

const methodsOf = <Method>(table: Readonly<Record<string, Choices>>, method: (choices: Choices) => Method) =>
  Object.fromEntries(Object.entries(table).map(([name, choices]) => [name, method(choices)]));

/** Methods that fill the resource locators, by the names that their lists ask for. */
export const searchMethods = methodsOf(searches, searchMethod);

/** Methods that fill the dropdowns of several choices. */
export const loadMethods = methodsOf(loads, loadMethod);
