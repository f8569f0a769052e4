export { Tool, Tools, type ToolManifest } from './tool.ts'
export type { IdempotencyKeyManifest, RateLimitManifest, WaitUnit } from './limits.ts'
export type { PaginationManifest } from './pagination.ts'
export type { ProbeRequestManifest, IdentityManifest, PostConnectManifest } from './probe-request.ts'
export { type ErrorMeaning, Toolkit, type ToolkitManifest } from './toolkit.ts'
export type {
  ApiKeyManifest,
  AuthSchemeManifest,
  BasicManifest,
  BearerTokenManifest,
  NoAuthManifest,
} from './auth.ts'
export type { ApplyManifest, FieldManifest, RevokeManifest, VariantManifest } from './auth-common.ts'
export type { WebhookManifest } from './callback.ts'
export type { ClientAuthManifest } from './client-auth.ts'
export type { DcrOAuthManifest, OAuth2Manifest, S2SOAuth2Manifest, ScopesManifest } from './oauth2.ts'
export type { DerivedTokenManifest, IntrospectManifest, StepManifest } from './token-requests.ts'
export type { ItemConditionManifest } from './trigger-condition.ts'
export {
  type DigestManifest,
  type EntryManifest,
  type HandshakeManifest,
  type RegistrationManifest,
  type TriggerWebhookManifest,
  type VerifyManifest,
  type VerifyOf,
  TriggerWebhook,
} from './trigger-webhook.ts'
export type { JwtManifest } from './mint.ts'
export type { SignManifest, SignOf } from './sign.ts'
export type {
  BasicWithJwtManifest,
  GoogleServiceAccountManifest,
  OAuth1Manifest,
  ServiceAccountManifest,
} from './non-oauth2-schemes.ts'
export type { SessionManifest } from './session.ts'
export { type PollManifest, type SinceFormat } from './trigger-poll.ts'
export { Trigger, type TriggerManifest, Triggers } from './trigger.ts'
export type { BodyType, PathStyle, QueryStyle, RequestManifest } from './tool-request.ts'
