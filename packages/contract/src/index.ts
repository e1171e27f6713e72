export { languageOf } from './accept-language.ts';
export {
  type AssistantAccess,
  assistantAccess,
  type ToolSetName,
  toolSetNames,
} from './assistant-access.ts';
export { type AuditedAction, auditedActions } from './audited-actions.ts';
export type { BatchedOperation } from './batches.ts';
export { type Checked, checkValue, longestOf } from './check-value.ts';
export { clientPrograms, type Platform, platformOf, platforms, userAgentOf } from './client-programs.ts';
export { asciiLowerCase, comparisonForm, unaccentedForm } from './comparison-form.ts';
export { countryCodes } from './countries.ts';
export { currencyCodes, minorUnitsOf } from './currencies.ts';
export {
  type DeliveryFailureReason,
  deliveryFailureReasons,
  describeDeliveryFailure,
} from './delivery-failures.ts';
export { asyncapiDocument } from './documents/asyncapi.ts';
export { openapi30Document } from './documents/openapi-3-0.ts';
export { postmanCollection } from './documents/postman.ts';
export { swagger2Document } from './documents/swagger-2.ts';
export { type ErrorBody, type ErrorCode, errorStatus, type FieldError } from './errors.ts';
export type { EventCategory, EventDeclaration } from './event.ts';
export { filterFieldsOf, watchableFieldsOf } from './event-fields.ts';
export { type EventFilter, eventFilters } from './event-filters.ts';
export {
  dataSchemaOf,
  type EventType,
  events,
  eventsOf,
  eventTypes,
  filteredValuesOf,
  filterSchemaOf,
  filtersOfEvent,
  formerFields,
  isEventType,
  isUpdate,
  stateLeftBy,
  tellsPrevious,
  watchableFields,
} from './events.ts';
export { withExamplesOfDay } from './example-moments.ts';
export {
  bareSchema,
  describe,
  descriptionOf,
  type FieldDescription,
  formsOf,
  jsonPartsOf,
} from './field.ts';
export { type FieldFacts, fieldsOf } from './field-facts.ts';
export { type FieldProblem, fieldCode, fieldError, fieldProblems, pathText } from './field-problem.ts';
export { type Instruction, instructionOf, instructionText } from './instructions.ts';
export {
  apiVersion,
  attemptDelaysSeconds,
  attemptJitterShare,
  attemptsSpanSeconds,
  basePath,
  limits,
} from './limits.ts';
export { commonListParameters, takesSeveral } from './list-query.ts';
export type { Merged } from './merged.ts';
export { isMessageKey, type MessageKey, message, messages } from './messages.ts';
export { oauthPaths } from './oauth-paths.ts';
export { openapiDocument } from './openapi/document.ts';
export { answerExample, exampleOrganization, requestExample } from './openapi/examples.ts';
export { exampleOfError } from './openapi/parts.ts';
export {
  type Audience,
  asksFirst,
  bodyTypesOf,
  errorsOf,
  isExisting,
  type Method,
  type OperationDeclaration,
  type OperationKind,
  permissionsOf,
  type StepDeclaration,
  takesIfMatch,
  takesIfNoneMatch,
} from './operation.ts';
export {
  type AnswerOf,
  type AssistantOperationId,
  assistantOperations,
  type BodyOf,
  type EveryOperation,
  type EveryOperationId,
  everyOperation,
  everyOperationId,
  getOperationOf,
  type OperationId,
  type Operations,
  operationIds,
  operations,
  type PathParameters,
  type QueryOf,
  readScopeOf,
  type SystemOperationId,
} from './operations.ts';
export { pathParameters } from './path-parameters.ts';
export { itemFieldsOf, type RecordColumn, recordColumns } from './record-columns.ts';
export type {
  Activity,
  Booking,
  Client,
  Company,
  CompanyItem,
  Contact,
  HookDelivery,
  Invoice,
  InvoiceItem,
  Lead,
  Order,
  OrderItem,
  Organization,
  Product,
  ProductItem,
  Quote,
  RestHook,
  Task,
} from './record-types.ts';
export {
  inOrder,
  isRecordName,
  type RecordName,
  type RecordOf,
  recordDeclarations,
  recordKindNames,
  records,
} from './records.ts';
export { recordNames, reducedFormOf, unreadScopeOf } from './reduced-form.ts';
export { namesOf, type Reference } from './reference.ts';
export {
  isRecordReference,
  isReferenceName,
  knownReference,
  type RecordReference,
  type ReferenceName,
  recordReferences,
  referenceOfField,
  references,
} from './references.ts';
export type { RecordDeclaration, ResourceDeclaration } from './resource.ts';
export { usualActivityMinutes } from './resources/activities.ts';
export { CreateApiKey, keyPurposes, UpdateApiKey } from './resources/api-keys.ts';
export { assistantAccessLabels } from './resources/assistants.ts';
export { actorKinds } from './resources/audit-entries.ts';
export { SearchDeliveries } from './resources/deliveries.ts';
export { LeadTargets, TaskTarget } from './resources/editable-lookups.ts';
export { daysToPay } from './resources/invoices.ts';
export {
  archivedLookupNames,
  type InnerLookupAddition,
  type LookupAddition,
  type LookupEdit,
  type LookupMove,
  type LookupName,
  type LookupRemoval,
  type LookupReturn,
  lookupNames,
  lookupSettings,
  orderedLookupNames,
} from './resources/lookup-settings.ts';
export { CreateWebhook, UpdateWebhook } from './resources/manual-webhooks.ts';
export {
  AcceptInvitation,
  ChangePassword,
  InviteMember,
  SetPassword,
  UpdateAccount,
  UpdateMember,
} from './resources/members.ts';
export { supplierFields, UpdateOrganization } from './resources/organizations.ts';
export { AddAssistant, RegisterAssistant } from './resources/registered-assistants.ts';
export { CreateRole, entityLabels, reachLabels, rightLabels, UpdateRole } from './resources/roles.ts';
export { SaveView, UpdateView } from './resources/saved-views.ts';
export { isSearchedKind, type SearchedKind, searchedKindNames, searchedKinds } from './resources/search.ts';
export {
  mostCounted,
  type RelatedOperation,
  relatedOperation,
  type TimelineOperation,
  timelineOperation,
} from './resources/timelines.ts';
export { RecoverDeliveries } from './resources/webhook-steps.ts';
export { type ResourceName, resourceNames, resources } from './resources.ts';
export {
  oauthScopes,
  type Permission,
  type PermissionReach,
  permissionEntities,
  permissionRights,
  scopePermissions,
} from './role-permissions.ts';
export { exampleChanges, exampleOf, sampleData, sampleEnvelope } from './sample.ts';
export { anyUuid, canBeSeen, largestAmount } from './scalars.ts';
export { allScopes, type Scope, scopes } from './scopes.ts';
export { inLowerCase, type Language, labelInSentence, type Text, text } from './text.ts';
export { isTimeZone } from './time-zone.ts';
export {
  isMcpAddress,
  mcpAddresses,
  mcpPath,
  toolSets,
  usualTools,
} from './tools.ts';
