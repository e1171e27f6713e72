import {
  labelInSentence,
  type OperationDeclaration,
  operations,
  type ReferenceName,
  references,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import { inOneLine, quoted } from '../texts/visible.ts';
import { toolNameOf } from '../tools/tool-name.ts';
import { type Candidate, isChosen, operationNamed } from './candidates.ts';
import type { Found } from './find-called.ts';

/** A name that means none or several. */
interface Unclear extends Found {
  /** The argument that has it. */
  readonly argument: string;
  readonly reference: ReferenceName;
  readonly given: string;
  /** The argument takes an object, too, by which one is created. */
  readonly creates: boolean;
}

const mostShown = 10;
/** Of a list to choose from, which a model that has seen it whole need not ask for. */
const mostChoices = 50;
const longestText = 80;

/** What a model is told of it: that nothing was done, and which it could mean. */
export function unclearText({ argument, reference, given, creates, exactly, near, isPart }: Unclear): string {
  const kind = kindOf(reference);
  const name = quoted(given);
  if (exactly.length === 0 && isChosen(references[reference])) {
    const said = `${argument}: No ${kind} is called ${name}. Nothing was done.`;
    return `${said} ${choicesText(reference, { found: near, isPart })}`;
  }
  const shown = exactly.length > 0 ? exactly : near;
  const lines = shown.slice(0, mostShown).map(lineOf);
  const more = shown.length > mostShown || isPart ? ['- and others'] : [];
  const create = creates && exactly.length === 0 ? [howToCreate(argument)] : [];
  return [`${argument}: ${whatIsUnclear()}`, ...lines, ...more, ...create].join('\n');

  function whatIsUnclear(): string {
    if (exactly.length > 1)
      return `Several are called ${name}. Nothing was done; give the ID of the right ${kind}:`;
    if (exactly.length === 1) {
      return `So many have ${name} in their names that others can be called so, too. Nothing was done; give the ID of the right ${kind}:`;
    }
    if (near.length === 0) return `No ${kind} is called ${name}, nor anything like it. Nothing was done.`;
    return `No ${kind} is called exactly ${name}. Nothing was done. What there is:`;
  }
}

const howToCreate = (argument: string): string =>
  `To create one with this call, give ${argument} as an object: {"name": …}.`;

/** What there is to choose from, and how. */
export function choicesText(
  reference: ReferenceName,
  { found, isPart }: { readonly found: readonly Candidate[]; readonly isPart: boolean },
): string {
  const kind = kindOf(reference);
  if (found.length === 0) return `There is no ${kind} yet; people add them in the console.`;
  const lines = found.slice(0, mostChoices).map(lineOf);
  const list: OperationDeclaration = operations[operationNamed(references[reference].list)];
  const more =
    found.length > mostChoices || isPart ? [`- and others, which ${toolNameOf(list)} has with q`] : [];
  return [`Choose the ${kind} that fits by its name or ID, or ask the user:`, ...lines, ...more].join('\n');
}

/** `- "Tatra Bikes s.r.o." (info@tatrabikes.example): 0198…`; the name is in quotes that it cannot end. */
function lineOf({ id, name, apart }: Candidate): string {
  const told = apart.map((each) => inOneLine(each, longestText)).join(', ');
  return `- ${quoted(name)}${told === '' ? '' : ` (${JSON.stringify(told).slice(1, -1)})`}: ${id}`;
}

/** `lost reason`; what is no resource of its own stands inside one. */
function kindOf(reference: ReferenceName): string {
  const resource = resourceNames.find((each) => each === reference);
  return resource ? labelInSentence(resources[resource].label.en) : reference.replaceAll('-', ' ');
}
