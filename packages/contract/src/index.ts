export { languageOf } from './accept-language.ts';
export { type Checked, checkValue, longestOf } from './check-value.ts';
export { clientPrograms, type Platform, platformOf, platforms, userAgentOf } from './client-programs.ts';
export { countryCodes } from './countries.ts';
export { currencyCodes } from './currencies.ts';
export {
  type DeliveryFailureReason,
  deliveryFailureReasons,
  describeDeliveryFailure,
} from './delivery-failures.ts';
export { type ErrorBody, type ErrorCode, errorStatus, type FieldError } from './errors.ts';
export {
  dataSchemaOf,
  type EventCategory,
  type EventDeclaration,
  type EventType,
  events,
  eventsOf,
  eventTypes,
  filtersOfEvent,
  isEventType,
  isUpdate,
  stateLeftBy,
  watchableFields,
} from './events.ts';
export { bareSchema, describe, descriptionOf, type FieldDescription, jsonPartsOf } from './field.ts';
export { type FieldFacts, fieldsOf } from './field-facts.ts';
export { type FieldProblem, fieldCode, fieldError, fieldProblems, pathText } from './field-problem.ts';
export { type Instruction, instructionOf } from './instructions.ts';
export { apiVersion, attemptDelaysSeconds, basePath, limits } from './limits.ts';
export { commonListParameters } from './list-query.ts';
export { type MessageKey, message, messages } from './messages.ts';
export { oauthPaths } from './oauth-paths.ts';
export { openapiDocument } from './openapi/document.ts';
export { answerExample, exampleOrganization, requestExample } from './openapi/examples.ts';
export { errorsOf, type Method, type OperationDeclaration, type OperationKind } from './operation.ts';
export {
  type AnswerOf,
  type BodyOf,
  type OperationId,
  type Operations,
  operationIds,
  operations,
  type PathParameters,
  type QueryOf,
  readScopeOf,
} from './operations.ts';
export { pathParameters } from './path-parameters.ts';
export type {
  Activity,
  Booking,
  Client,
  Company,
  CompanyItem,
  Contact,
  Invoice,
  InvoiceItem,
  Lead,
  Order,
  OrderItem,
  Product,
  ProductItem,
  Quote,
  RestHook,
  Task,
} from './records.ts';
export { namesOf, type Reference, type ReferenceName, references } from './references.ts';
export { CreateApiKey, keyPurposes } from './resources/api-keys.ts';
export { EditContactAddresses } from './resources/contacts.ts';
export { ReplayDeliveries, SearchDeliveries } from './resources/deliveries.ts';
export {
  EditActivityType,
  EditBookingService,
  EditBookingStaff,
  EditCustomField,
  EditCustomFieldGroup,
  EditLeadOrigin,
  EditLostReason,
  EditPipeline,
  EditProject,
  EditProjectStage,
  EditStage,
  EditTag,
  LeadTargets,
  TaskTarget,
} from './resources/editable-lookups.ts';
export { PayInvoice } from './resources/invoices.ts';
export {
  AcceptInvitation,
  ChangePassword,
  InviteMember,
  UpdateAccount,
  UpdateMember,
} from './resources/members.ts';
export { UpdateOrganization } from './resources/organizations.ts';
export { CreateProduct, UpdateProduct } from './resources/products.ts';
export { CreateQuote, ListQuotes } from './resources/quotes.ts';
export { CreateRole, entityLabels, reachLabels, rightLabels, UpdateRole } from './resources/roles.ts';
export { CreateWebhook, UpdateWebhook } from './resources/webhooks.ts';
export { type ResourceDeclaration, type ResourceName, resourceNames, resources } from './resources.ts';
export {
  oauthScopes,
  type Permission,
  type PermissionReach,
  permissionEntities,
  permissionRights,
  scopePermissions,
} from './role-permissions.ts';
export { exampleChanges, exampleOf, sampleData, sampleEnvelope } from './sample.ts';
export { largestAmount } from './scalars.ts';
export { allScopes, type Scope, scopes } from './scopes.ts';
export { type Language, labelInSentence, type Text, text } from './text.ts';
export { isTimeZone } from './time-zone.ts';
