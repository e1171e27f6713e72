import {
  type AuditedAction,
  descriptionOf,
  type EveryOperationId,
  entityLabels,
  everyOperation,
  type FieldDescription,
  inLowerCase,
  type OperationDeclaration,
  resources,
  rightLabels,
  type Text,
  text,
} from '@dealkeep/contract';
import type { ResultOf } from '@dealkeep/core/change';
import { html } from 'hono/html';
import type { ConsoleContext } from '../../context.ts';
import { type Markup, quiet } from '../../markup.ts';
import { auditSay } from './texts.ts';

/** What somebody did, as the log has it. */
export type Entry = ResultOf<'audit-entries.list'>['data'][number];

/** Whole sentences of deeds about nothing but their actor. `{a}` is the ending of a Slovak verb. */
const sentences: Readonly<Partial<Record<AuditedAction, Text>>> = {
  'account.sign-in': text('signed in', 'sa prihlásil{a}'),
  'account.sign-out': text('signed out', 'sa odhlásil{a}'),
  'account.sign-out-others': text('signed out everywhere else', 'sa odhlásil{a} všade inde'),
  'account.switch-organization': text('came over from another organization', 'prešiel{a} z inej organizácie'),
  'account.change-password': text('changed the own password', 'si zmenil{a} heslo'),
  'account.edit': text('changed the own account', 'si zmenil{a} účet'),
  'account.join': text('accepted the invitation', 'prijal{a} pozvánku'),
  'backups.restore': text('restored a backup of', 'obnovil{a} zo zálohy:'),
  'connections.allow': text('connected the app', 'pripojil{a} aplikáciu'),
  'connections.end': text('ended the connection of the app', 'ukončil{a} pripojenie aplikácie'),
  'imports.run': text('imported', 'importoval{a}'),
  'imports.stop': text('stopped an import of', 'zastavil{a} import:'),
  'imports.undo': text('undid an import of', 'vrátil{a} späť import:'),
  'lists.export': text('exported', 'exportoval{a}'),
  'organizations.move': text('moved from another server', 'presunul{a} z iného servera:'),
  'organizations.take-back': text('took back from another server', 'vrátil{a} z iného servera:'),
  'organizations.export': text('exported all data of', 'exportoval{a} všetky údaje:'),
};

/** By the last part of an operation's id. */
const verbs: Readonly<Record<string, Text>> = {
  create: text('created', 'vytvoril{a}'),
  add: text('added', 'pridal{a}'),
  update: text('changed', 'zmenil{a}'),
  edit: text('changed', 'zmenil{a}'),
  upsert: text('created or changed', 'vytvoril{a} alebo zmenil{a}'),
  delete: text('removed', 'odstránil{a}'),
  remove: text('removed', 'odstránil{a}'),
  restore: text('brought back', 'vrátil{a}'),
  archive: text('archived', 'archivoval{a}'),
  move: text('moved', 'presunul{a}'),
  complete: text('completed', 'dokončil{a}'),
  reopen: text('reopened', 'znova otvoril{a}'),
  cancel: text('cancelled', 'zrušil{a}'),
  confirm: text('confirmed', 'potvrdil{a}'),
  'no-show': text('marked as a no-show', 'označil{a}, že zákazník neprišiel na'),
  pay: text('recorded a payment of', 'zaznamenal{a} platbu:'),
  send: text('sent', 'odoslal{a}'),
  'send-again': text('sent again', 'znova odoslal{a}'),
  withdraw: text('withdrew', 'stiahol{a}'),
  accept: text('marked as accepted', 'označil{a} ako prijaté:'),
  reject: text('marked as rejected', 'označil{a} ako odmietnuté:'),
  ship: text('marked as shipped', 'označil{a} ako odoslané:'),
  deliver: text('marked as delivered', 'označil{a} ako doručené:'),
  labels: text('changed the tags and fields of', 'zmenil{a} štítky a polia:'),
  tags: text('changed the tags of', 'zmenil{a} štítky:'),
  addresses: text('changed the addresses and numbers of', 'zmenil{a} adresy a čísla:'),
  erase: text('erased the personal data of', 'vymazal{a} osobné údaje:'),
  'mark-overdue': text('marked as overdue', 'označil{a} ako po splatnosti:'),
  'tell-overdue': text('told that it is overdue:', 'oznámil{a}, že je po termíne:'),
  test: text('sent a test to', 'poslal{a} skúšobnú udalosť:'),
  recover: text('sent deliveries again of', 'znova poslal{a} doručenia:'),
  resend: text('sent again', 'znova poslal{a}'),
  enable: text('enabled', 'zapol{a}'),
  disable: text('disabled', 'vypol{a}'),
  'rotate-secret': text('gave a new secret to', 'dal{a} nový podpisový kľúč:'),
  activate: text('gave access again to', 'znova dal{a} prístup:'),
  deactivate: text('took the access of', 'odobral{a} prístup:'),
  revoke: text('revoked', 'zrušil{a}'),
  register: text('registered', 'zaregistroval{a}'),
};

/** What is changed and is no record, as the object of a sentence. */
const otherObjects: Readonly<Record<string, Text>> = {
  user: text('the user', 'používateľa'),
  role: text('the role', 'rolu'),
  invitation: text('the invitation of', 'pozvánku pre'),
  key: text('the API key', 'API kľúč'),
  webhook: text('the webhook', 'webhook'),
  delivery: text('a delivery', 'doručenie'),
  assistant: text('the AI assistant', 'AI asistenta'),
  organization: text('the organization', 'organizáciu'),
  pipeline: text('the pipeline', 'pipeline'),
  stage: text('the stage', 'fázu'),
  'lead-origin': text('the lead origin', 'zdroj príležitostí'),
  'lost-reason': text('the lost reason', 'dôvod straty'),
  tag: text('the tag', 'štítok'),
  'custom-field': text('the custom field', 'vlastné pole'),
  'custom-field-group': text('the group of custom fields', 'skupinu vlastných polí'),
  'activity-type': text('the activity type', 'typ aktivity'),
  project: text('the project', 'projekt'),
  'project-stage': text('the stage of a project', 'fázu projektu'),
  'booking-service': text('the service', 'službu'),
  'booking-staff': text('the staff member', 'pracovníka'),
};

/** The same of everything. */
const objectsOf = (c: ConsoleContext): Readonly<Record<string, Text>> => ({
  ...Object.fromEntries(c.get('kinds').map(({ resource, object }) => [resource, object])),
  ...otherObjects,
});

const declarationOf = (operation: string): OperationDeclaration | undefined =>
  Object.hasOwn(everyOperation, operation) ? everyOperation[operation as EveryOperationId] : undefined;

/** Kinds of records that the log can be filtered by, with their names. */
export const loggedKinds = (c: ConsoleContext): [string, string][] =>
  Object.keys(objectsOf(c)).map((name) => [name, kindName(c, name)]);

/** What a kind is called by itself. */
function kindName(c: ConsoleContext, name: string): string {
  const language = c.get('language');
  const label = Object.entries(resources).find(([resource]) => resource === name)?.[1].label[language];
  if (label !== undefined) return label;
  const [first = '', ...rest] = objectsOf(c)[name]?.[language].replace(/^the /, '') ?? name;
  return first.toUpperCase() + rest.join('');
}

/** A part of a sentence; what it names stands out, and leads to its page. */
interface Part {
  readonly said: string;
  readonly look?: 'name' | 'quiet';
  readonly path?: string | undefined;
}

/** Who did it; the ending of a Slovak verb about them. */
function actorOf(c: ConsoleContext, entry: Entry): { who: readonly Part[]; ending: string } {
  const say = auditSay(c.get('language'));
  const person: Part = { said: entry.actor_name ?? '', look: 'name' };
  const behind: Part[] =
    entry.actor_name === null ? [] : [{ said: say('behind', { name: entry.actor_name }), look: 'quiet' }];
  const way: Part = { said: entry.via_name ?? say('removed'), look: 'name' };
  switch (entry.actor_kind) {
    case 'user':
      return { who: [person], ending: '(a)' };
    case 'key':
      return { who: [{ said: say('theKey') }, way, ...behind], ending: '' };
    case 'connection':
      return { who: [{ said: say('theApp') }, way, ...behind], ending: 'a' };
    case 'assistant':
      return { who: [{ said: say('theAssistant') }, way, ...behind], ending: '' };
    case 'operator':
      return { who: [{ said: say('theOperator'), look: 'name' }], ending: '' };
    case 'system':
      return { who: [{ said: 'Dealkeep', look: 'name' }], ending: '' };
  }
}

/** `Jana Horváthová archived the lead Fleet renewal` */
function partsOf(c: ConsoleContext, entry: Entry): readonly Part[] {
  const language = c.get('language');
  const { operation, resource, record_name: name } = entry;
  if (operation === 'account.sign-in-failed') {
    return [{ said: auditSay(language)('failedSignIn') }, { said: entry.actor_name ?? '', look: 'name' }];
  }
  const { who, ending } = actorOf(c, entry);
  const said = (words: Text): Part => ({ said: words[language].replaceAll('{a}', ending) });
  const named = (shown: string): Part => ({ said: shown, look: 'name', path: pathOf(entry) });
  const whole = sentences[operation as AuditedAction];
  if (whole) {
    if (operation.startsWith('account.')) return [...who, said(whole)];
    return [...who, said(whole), name === null ? { said: kindsName(c, resource) } : named(name)];
  }
  const verb = verbs[operation.slice(operation.lastIndexOf('.') + 1)];
  const what = objectsOf(c)[resource]?.[language];
  // What has no words of its own yet is told by the title of its operation.
  if (!verb || what === undefined) {
    const title = declarationOf(operation)?.title[language] ?? operation;
    return [...who, { said: `– ${title}` }, ...(name === null ? [] : [named(name)])];
  }
  return name === null
    ? [...who, said(verb), named(what)]
    : [...who, said(verb), { said: what }, named(name)];
}

/** A sentence as plain text. */
export const sentenceText = (c: ConsoleContext, entry: Entry): string =>
  partsOf(c, entry)
    .map(({ said }) => said)
    .join(' ');

/** The same with links. */
export const sentenceOf = (c: ConsoleContext, entry: Entry): Markup =>
  html`${partsOf(c, entry).map((part, index) => html`${index > 0 ? ' ' : ''}${partMarkup(part)}`)}`;

function partMarkup({ said, look, path }: Part): Markup | string {
  if (path !== undefined) return html`<a href="${path}">${said}</a>`;
  if (look === 'name') return html`<strong>${said}</strong>`;
  return look === 'quiet' ? quiet(said) : said;
}

/** The records of a kind together, in small letters. */
function kindsName(c: ConsoleContext, name: string): string {
  const found = Object.entries(resources).find(([resource]) => resource === name);
  return found ? inLowerCase(found[1].plural[c.get('language')]) : '';
}

const ownPaths: Readonly<Record<string, string>> = {
  quote: '/quotes',
  webhook: '/integrations/webhooks',
  user: '/settings/users',
};

/** The page of what an entry is about; undefined where it has none or is gone. */
function pathOf({ operation, resource, record_id: id }: Entry): string | undefined {
  if (id === null || /\.(?:remove|delete|revoke)$/.test(operation)) return undefined;
  const list = Object.values<OperationDeclaration>(everyOperation).find(
    (each) => each.resource === resource && each.kind === 'list',
  );
  const isRecord = Object.entries(resources).some(
    ([name, { kind }]) => name === resource && kind === 'record',
  );
  const path = ownPaths[resource] ?? (isRecord ? list?.path : undefined);
  return path && `${path}/${id}`;
}

/** What changed: of settings from what to what, of a record which fields. */
export function changesOf(c: ConsoleContext, { operation, detail }: Entry): readonly string[] {
  const say = auditSay(c.get('language'));
  const { fields = [], changes = {}, counts = {}, reason } = (detail ?? {}) as Details;
  const labels = fields.map((name) => labelOf(c, operation, name));
  return [
    ...(labels.length > 0 ? [say('fields', { fields: labels.join(', ') })] : []),
    ...Object.entries(changes).map(([name, [before, after]]) => {
      const label = labelOf(c, operation, name);
      const [was, is] = [shown(c, operation, name, before), shown(c, operation, name, after)];
      if (before === null && after !== null) return `${label}: ${is}`;
      return was === is ? label : `${label}: ${was} → ${is}`;
    }),
    ...Object.entries(counts).map(([state, count]) => {
      const name = `count_${state}`;
      return isCounted(name) ? say(name, { count }) : `${state}: ${count}`;
    }),
    ...(reason === undefined ? [] : [reasonOf(c, reason)]),
  ];
}

interface Details {
  readonly fields?: readonly string[];
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly counts?: Readonly<Record<string, number>>;
  readonly reason?: string;
}

const countedStates = [
  'count_rows',
  'count_created',
  'count_updated',
  'count_unchanged',
  'count_refused',
  'count_faulty',
  'count_ready',
] as const;
const isCounted = (name: string): name is (typeof countedStates)[number] =>
  countedStates.some((each) => each === name);

const reasons = {
  disconnected: 'reason_disconnected',
  revoked: 'reason_revoked',
  idle: 'reason_idle',
  reused: 'reason_reused',
  person: 'reason_person',
} as const;

const reasonOf = (c: ConsoleContext, reason: string): string => {
  const known = Object.entries(reasons).find(([name]) => name === reason)?.[1];
  return known ? auditSay(c.get('language'))(known) : reason;
};

/** The field of a body or a record that a change names. */
function fieldOf(operation: string, name: string): FieldDescription | undefined {
  const declaration = declarationOf(operation);
  const record = Object.entries(resources).find(([resource]) => resource === declaration?.resource)?.[1]
    .schema;
  for (const schema of [declaration?.body, record]) {
    const field = Object.entries(schema?.shape ?? {}).find(([key]) => key === name)?.[1];
    const description = field && descriptionOf(field);
    if (description) return description;
  }
  return undefined;
}

/** Fields that no body of the contract has. */
const besides = ['role', 'language', 'active', 'email', 'scopes', 'password', 'subscription'] as const;

function labelOf(c: ConsoleContext, operation: string, name: string): string {
  const language = c.get('language');
  const permission = /^permissions\.(\w+)\.(\w+)$/.exec(name);
  if (permission) {
    const [, entity = '', right = ''] = permission;
    const labels = [labelIn(entityLabels, entity), labelIn(rightLabels, right)];
    return labels.map((label, index) => label?.[language] ?? permission[index + 1]).join(': ');
  }
  const [first = ''] = name.split('.');
  const known = fieldOf(operation, first)?.label[language];
  const own = besides.find((each) => each === first);
  return known ?? (own ? auditSay(language)(own) : first.replaceAll('_', ' '));
}

const labelIn = (labels: Readonly<Record<string, Text>>, name: string): Text | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;

/** A value in words. An id says nothing to anybody. */
function shown(c: ConsoleContext, operation: string, name: string, value: unknown): string {
  const language = c.get('language');
  const say = auditSay(language);
  if (value === null || value === undefined) return say('nothing');
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (Array.isArray(value)) {
    return value.length === 0
      ? say('nothing')
      : value.map((each) => shown(c, operation, name, each)).join(', ');
  }
  const text = String(value);
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)) return '…';
  if (name.startsWith('permissions.') && (text === 'all' || text === 'assigned')) return say(text);
  if (name === 'role' && text === 'owner') return say('owner');
  const choices = fieldOf(operation, name.split('.')[0] ?? '')?.choices;
  return choices?.[text]?.[language] ?? text;
}
