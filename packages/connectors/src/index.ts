export { actionKey, actionLabel, keyOf } from './catalog/action-name.ts';
export { type ActionDeclaration, actions, leftOutActions } from './catalog/actions.ts';
export { type SearchDeclaration, searches, searchOfEverything } from './catalog/searches.ts';
export { type TriggerDeclaration, triggerKey, triggers } from './catalog/triggers.ts';
export {
  type Choice,
  choiceOf,
  innerChoices,
  innerChoicesOfAll,
  orderOfChoices,
} from './dropdowns/choice.ts';
export { actionCall, clears } from './forms/action-call.ts';
export { actionFields } from './forms/action-fields.ts';
export { chosen } from './forms/chosen.ts';
export { clearable, clearField } from './forms/clear-fields.ts';
export {
  customFieldsOf,
  formOfRun,
  missesCustomFields,
  namesCustomFields,
  withCustomFields,
} from './forms/custom-fields.ts';
export type { FormField, Way } from './forms/form-field.ts';
export { inOrder } from './forms/in-order.ts';
export { InputProblem } from './forms/input-problem.ts';
export { isBlank, isEmpty } from './forms/is-empty.ts';
export { parentField, recordField } from './forms/record-field.ts';
export { type HandWritten, resolveInput } from './forms/resolve-input.ts';
export { ofChosenWays, wayChoices, wayKey } from './forms/ways.ts';
export { type ApiRecord, isApiRecord, valueAt } from './records/api-record.ts';
export { type OutputField, outputFields } from './records/output-fields.ts';
export { answerOf, answerSample, resourceSample } from './records/resource-sample.ts';
export { hasUuidForId, shapeRecord } from './records/shape-record.ts';
export { referenceNamed, referenceNames, referenceOf } from './references.ts';
export { answeredSchema, labelOfResource, operationOf, operationOn, pluralOfResource } from './registry.ts';
export { type Answer, type Page, pageIn, recordIn } from './requests/answer.ts';
export type { Api, Call } from './requests/api.ts';
export { apiOver, persistently, type Waiting } from './requests/api-over.ts';
export { apiRootFrom } from './requests/api-root.ts';
export { busySeconds, type Failure, isBusy } from './requests/failure.ts';
export { listedOwner } from './requests/listed-owner.ts';
export { everyRecord } from './requests/pages.ts';
export { describeElsewhere, describeTrouble, type Trouble, troubleOf } from './requests/trouble.ts';
export { find } from './searches/find.ts';
export { everything, everythingForm, searchEverything } from './searches/search-everything.ts';
export { putAway, type SearchForm, searchFields, searchForm } from './searches/search-form.ts';
export { searchedBy, searchKey, searchSample } from './searches/searched.ts';
export { deliveredEvent } from './triggers/delivered-event.ts';
export { filtersOfEvents } from './triggers/event-filters.ts';
export {
  eventOutputFields,
  fieldsOfTelling,
  givenOn,
  isMixed,
  toldBy,
  triggerSample,
} from './triggers/event-output.ts';
export { subscribe, subscriptionIn, unsubscribe } from './triggers/hook-subscription.ts';
export { latestRecords } from './triggers/latest-records.ts';
export { runOfEvent } from './triggers/run-of-event.ts';
export { chosenEvents, eventsField, filtersOf, watchChoices, watchField } from './triggers/trigger-form.ts';
