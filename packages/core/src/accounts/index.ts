export {
  acceptAsNewUser,
  acceptAsSignedIn,
  acceptBySigningIn,
  findInvitation,
  type OpenInvitation,
} from './invitations/accept-invitation.ts';
export {
  getInvitation,
  type Invitation,
  invitationPath,
  listInvitations,
} from './invitations/invitations.ts';
export type { ApiKey } from './keys/api-keys.ts';
export {
  createApiKey,
  listApiKeys,
  listApiKeysOf,
  listEndedApiKeysOf,
  type NewApiKey,
  revokeApiKey,
} from './keys/api-keys.ts';
export { callerLanguage } from './keys/me.ts';
export {
  createOAuthApp,
  findOAuthApp,
  isOpenTo,
  listOAuthApps,
  type NewOAuthApp,
  type OAuthApp,
  type OAuthAppKind,
  rotateOAuthAppSecret,
} from './oauth/apps.ts';
export { type ConnectableAssistant, listAssistants } from './oauth/assistants.ts';
export {
  type AuthorizationCheck,
  type AuthorizationRequest,
  allowAuthorization,
  type ConsentingUser,
  checkAuthorizationRequest,
  denyAuthorization,
} from './oauth/authorization.ts';
export {
  disconnect,
  endIdleConnections,
  listConnections,
  type OAuthConnection,
} from './oauth/connections.ts';
export { createDocumentedApp } from './oauth/documented-apps.ts';
export { type DocumentReading, isDocumentAddress } from './oauth/metadata-document.ts';
export { authorizationServerMetadata, OAuthError } from './oauth/protocol.ts';
export { leadsToOwnMachine } from './oauth/redirect-uris.ts';
export { removeOAuthApp } from './oauth/remove-app.ts';
export { type ClientRequest, exchangeTokens, revokeToken } from './oauth/token-endpoint.ts';
export type { TokenAnswer } from './oauth/tokens.ts';
export type { Organization } from './organizations/organizations.ts';
export {
  createOrganization,
  findOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationUse,
  updateOrganization,
} from './organizations/organizations.ts';
export type { ClaimingClient } from './sessions/prove-password.ts';
export {
  endOtherSessions,
  endSession,
  findSession,
  listOwnSessions,
  type OwnSession,
  type Session,
  type SignedIn,
  signIn,
  switchOrganization,
} from './sessions/sessions.ts';
export { getMember, listMembers, type Member } from './users/members.ts';
export { changeOwnPassword, editAccount, showGuide } from './users/own-account.ts';
export { createRole, getRole, listRoles, type Role } from './users/roles.ts';
export { createUser, type User, updateUser } from './users/users.ts';
