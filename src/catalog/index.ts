/** Everything the rest of the program may use of the catalogue. */
export { renderAddress } from './manifest/compile/template/url.ts'
export {
  type FieldDescriptor,
  type FieldGroup,
  fieldsOf,
  mergedFields,
  type SchemeFieldGroups,
} from './manifest/compile/auth/auth-fields.ts'
export { createCatalog, FIRST_VERSION, type Holding, LATEST } from './query/catalog.ts'
export { type CodeTool, type CodeToolContext, ToolFailure } from './code-tool.ts'
export { compileCondition, type ConditionManifest } from './manifest/compile/response/conditions.ts'
export { names as namesTool } from './query/aliases.ts'
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
export { FileBytes, fileType } from './manifest/compile/request/file-argument.ts'
export { secretHosts } from './manifest/compile/auth/secret-hosts.ts'
export { layered } from './query/overlay.ts'
export { catalogFrom, loadCatalog, type LoadOptions } from './manifest/load/load.ts'
export { loadToolkit } from './manifest/load/load-toolkit.ts'
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
} from './manifest/format/index.ts'
export type {
  BasicWithJwtManifest,
  GoogleServiceAccountManifest,
  OAuth1Manifest,
  ServiceAccountManifest,
  SessionManifest,
} from './manifest/format/index.ts'
export { ManifestError, type Mistake } from './manifest/diagnostics.ts'
export { type CatalogOf, inProject, type Shared } from './query/project-catalog.ts'
export { compilePath } from './manifest/compile/template/paths.ts'
export { encodeSegment } from './manifest/compile/request/percent-encode.ts'
export { quarantine, type Quarantined } from './manifest/load/quarantine.ts'
export { refusal as refusedJson, type SourceVersion, type ToolkitSource } from './manifest/load/read.ts'
export type * from './types/index.ts'
export { readMember, renderAsk } from './manifest/compile/request/probe-request.ts'
export { headerText, renderRequest } from './manifest/compile/request/request.ts'
export { SCHEME_FIELDS, type SchemeFields } from './manifest/compile/auth/scheme-fields.ts'
export { walkSchema } from './manifest/lint/schemas.ts'
export { compiledSchemeOf, schemeOf } from './manifest/compile/auth/schemes.ts'
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
} from './query/select.ts'
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
} from './manifest/load/disk-cache/index.ts'
export { type Pair, writePairs } from './manifest/compile/request/parameter-serialization.ts'
export {
  type DigestManifest,
  type EntryManifest,
  type HandshakeManifest,
  type RegistrationManifest,
  type TriggerWebhookManifest,
  type VerifyManifest,
  type VerifyOf,
} from './manifest/format/index.ts'
export { type Delivery, deliveryOf, type DeliveryRequest } from './manifest/compile/triggers/delivery.ts'
export {
  type CompiledRegistration,
  type CompiledWebhook,
  compileWebhook,
  type DeliveredItem,
  mergedWebhook,
} from './manifest/compile/triggers/webhook.ts'
export { momentMs } from './manifest/compile/response/retry-after.ts'
export { MissingValue, UnsafeValue } from './manifest/compile/template/errors.ts'
export { compileTemplate, lookupIn, render, renderOptional, textOf } from './manifest/compile/template/templates.ts'
export { ABSENT, compileValue } from './manifest/compile/template/values.ts'
export { flatParameters, jsonSchemaView, type ToolViews, toolViews } from './query/tool-parameters.ts'
export { triggerViews } from './query/trigger-parameters.ts'
export { type Seen, type Sight, type TagLists, type ToolLists, visibility } from './query/visibility.ts'
export { momentOf } from './manifest/compile/triggers/timestamps.ts'
