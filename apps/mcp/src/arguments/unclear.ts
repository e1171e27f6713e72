import { labelInSentence, type ReferenceName, resourceNames, resources } from '@dealkeep/contract';
import { inOneLine, quoted } from '../texts/visible.ts';
import type { Candidate } from './candidates.ts';
import type { Found } from './find-called.ts';

/** A name that means none or several. */
interface Unclear extends Found {
  /** The argument that has it. */
  readonly argument: string;
  readonly reference: ReferenceName;
  readonly given: string;
}

const mostShown = 10;
const longestText = 80;

/** What a model is told of it: that nothing was done, and which it could mean. */
export function unclearText({ argument, reference, given, exactly, near, isPart }: Unclear): string {
  const kind = kindOf(reference);
  const shown = exactly.length > 0 ? exactly : near;
  const lines = shown.slice(0, mostShown).map(lineOf);
  const more = shown.length > mostShown || isPart ? ['- and others'] : [];
  return [`${argument}: ${whatIsUnclear()}`, ...lines, ...more].join('\n');

  function whatIsUnclear(): string {
    const name = quoted(given);
    if (exactly.length > 1)
      return `Several are called ${name}. Nothing was done; give the ID of the right ${kind}:`;
    if (exactly.length === 1) {
      return `So many have ${name} in their names that others can be called so, too. Nothing was done; give the ID of the right ${kind}:`;
    }
    if (near.length === 0) return `No ${kind} is called ${name}, nor anything like it. Nothing was done.`;
    return `No ${kind} is called exactly ${name}. Nothing was done. What there is:`;
  }
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
