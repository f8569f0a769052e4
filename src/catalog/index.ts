/** Everything the rest of the program may use of the catalogue. */
export { renderAddress } from './addresses.ts'
export {
  type FieldDescriptor,
  type FieldGroup,
  fieldsOf,
  mergedFields,
  type SchemeFieldGroups,
} from './auth-fields.ts'
export { createCatalog, FIRST_VERSION, type Holding, LATEST } from './catalog.ts'
export { type CodeTool, type CodeToolContext, ToolFailure } from './code-tool.ts'
export { compileCondition, type ConditionManifest } from './conditions.ts'
export { names as namesTool } from './former-names.ts'
export {
  compileFor,
  type Compiled,
  DIALECT_NAMES,
  type DialectName,
  hasWrittenNames,
  inDialect,
  plainSchema,
  restoreArguments,
} from './schema-formats/index.ts'
export { FileBytes, fileType } from './file-bytes.ts'
export { secretHosts } from './hosts.ts'
export { layered } from './layered.ts'
export { catalogFrom, loadCatalog, type LoadOptions } from './load.ts'
export { loadToolkit } from './load-one.ts'
export type {
  ApiKeyManifest,
  ApplyManifest,
  AskManifest,
  AuthSchemeManifest,
  BasicManifest,
  BearerTokenManifest,
  ClientAuthManifest,
  DcrOAuthManifest,
  DerivedTokenManifest,
  ErrorMeaning,
  FieldManifest,
  IdentityManifest,
  IntrospectManifest,
  JwtManifest,
  NoAuthManifest,
  OAuth2Manifest,
  PaginationManifest,
  PostConnectManifest,
  RequestManifest,
  RevokeManifest,
  S2SOAuth2Manifest,
  SignManifest,
  SignOf,
  StepManifest,
  ToolkitManifest,
  ToolManifest,
  TriggerManifest,
  VariantManifest,
  WebhookManifest,
} from './manifest/index.ts'
export type {
  BasicWithJwtManifest,
  GoogleServiceAccountManifest,
  OAuth1Manifest,
  ServiceAccountManifest,
  SessionManifest,
} from './manifest/index.ts'
export { ManifestError, type Mistake } from './mistakes.ts'
export { type CatalogOf, inProject, type Shared } from './of-project.ts'
export { compilePath } from './paths.ts'
export { encodeSegment } from './percent.ts'
export { quarantine, type Quarantined } from './quarantine.ts'
export { refusal as refusedJson, type SourceVersion, type ToolkitSource } from './read.ts'
export type * from './records.ts'
export { readMember, renderAsk } from './ask.ts'
export { headerText, renderRequest } from './request.ts'
export { SCHEME_FIELDS, type SchemeFields } from './scheme-fields.ts'
export { walkSchema } from './input-check.ts'
export { compiledSchemeOf, schemeOf } from './schemes.ts'
export {
  type Fit,
  type FoundBySearch,
  indexOf,
  prepareSearch,
  type SearchDocument,
  searchOf,
  type SearchToolkit,
  searchToolkit,
  type ToolSearch,
} from './search/index.ts'
export {
  scopesSuffice,
  selectToolkits,
  selectTools,
  type ToolFilter,
  type ToolkitFilter,
  versionFor,
  wholeTools,
} from './select.ts'
export {
  type Content,
  Damaged,
  letterIcon,
  onShelves,
  type Release,
  type Shelf,
  shelfOf,
  shelvesIn,
  sweepShelves,
} from './shelf/index.ts'
export { type Pair, writePairs } from './styles.ts'
export {
  type DigestManifest,
  type EntryManifest,
  type HandshakeManifest,
  type RegistrationManifest,
  type TriggerWebhookManifest,
  type VerifyManifest,
  type VerifyOf,
} from './manifest/index.ts'
export { type Delivery, deliveryOf, type DeliveryRequest } from './triggers/delivery.ts'
export {
  type CompiledRegistration,
  type CompiledWebhook,
  compileWebhook,
  type DeliveredItem,
  mergedWebhook,
} from './triggers/webhook.ts'
export { momentMs } from './wait-units.ts'
export { MissingValue, UnsafeValue } from './template-errors.ts'
export { compileTemplate, lookupIn, render, renderOptional, textOf } from './templates.ts'
export { ABSENT, compileValue } from './values.ts'
export { flatParameters, jsonSchemaView, type ToolViews, toolViews } from './views.ts'
export { triggerViews } from './triggers/views.ts'
export { type Seen, type Sight, type TagLists, type ToolLists, visibility } from './visibility.ts'
export { momentOf } from './triggers/moments.ts'
