/** Everything the rest of the program may use of the catalogue. */
export { renderUrl } from './manifest/compile/template/url.ts'
export {
  type FieldDescriptor,
  type FieldGroup,
  schemeFieldGroups,
  mergeSchemeFields,
  type SchemeFieldGroups,
} from './manifest/compile/auth/auth-fields.ts'
export { createCatalog } from './query/catalog.ts'
export type { ToolkitReleases } from './query/toolkit-releases.ts'
export { FIRST_VERSION, LATEST_VERSION, versionFor } from './query/versions.ts'
export {
  describeMissingTool,
  describeMissingToolkit,
  describeMissingTriggerType,
} from './query/missing-names.ts'
export { selectToolkits, type ToolkitFilter } from './query/select-toolkits.ts'
export { type CodeTool, type CodeToolContext, ToolFailure } from './code-tool.ts'
export { compileCondition, type ConditionManifest } from './manifest/compile/response/conditions.ts'
export { listIncludesTool } from './query/aliases.ts'
export {
  compileForFormat,
  type FormattedSchema,
  SCHEMA_FORMAT_NAMES,
  type SchemaFormatName,
  hasRenamedProperties,
  toolSchemaInFormat,
  inlineReferences,
  restoreArguments,
} from './schema-formats/index.ts'
export { FileBytes, validMediaType } from './manifest/compile/request/file-argument.ts'
export {
  credentialHostNames,
  hasChosenAuthorizationServer,
  secretHostNames,
} from './manifest/compile/auth/secret-hosts.ts'
export { overlayCatalogs } from './query/overlay.ts'
export {
  folderReader,
  openCatalog,
  openCatalogInSteps,
  type OpenOptions,
} from './manifest/load/lazy/index.ts'
export { catalogFromSources, loadCatalog, type LoadOptions, loadToolkit } from './manifest/load/load.ts'
export type {
  ApiKeyManifest,
  ApplyManifest,
  ProbeRequestManifest,
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
  ScopesManifest,
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
export { ManifestError, type Diagnostic } from './manifest/diagnostics.ts'
export { type CatalogOf, bindToProject, type EgressOf, type ProjectScoped } from './query/project-catalog.ts'
export { compilePath } from './manifest/compile/template/paths.ts'
export { percentEncode } from './manifest/compile/request/percent-encode.ts'
export { quarantine, type Quarantined } from './manifest/load/quarantine.ts'
export type { ToolkitSource, ToolkitVersionSource } from './manifest/load/read.ts'
export { unsafeJsonReason } from './manifest/load/unsafe-json.ts'
export type * from './types/index.ts'
export { readReplyText, renderProbeRequest } from './manifest/compile/request/probe-request.ts'
export { headerText, renderRequest } from './manifest/compile/request/request.ts'
export { SCHEME_FIELDS, type SchemeFields } from './manifest/compile/auth/scheme-fields.ts'
export { visitSchemas } from './manifest/json-schema.ts'
export { findCompiledScheme, findScheme } from './manifest/compile/auth/schemes.ts'
export {
  createToolVectors,
  embeddingText,
  type FindOptions,
  type Fit,
  type FoundBySearch,
  indexOf,
  type IndexWork,
  packVector,
  prepareSearch,
  type RequestVector,
  requestVector,
  type SearchDocument,
  searchOf,
  searchReady,
  type SearchToolkit,
  searchToolkit,
  type Segment,
  SIGNALS,
  type SignalName,
  type Similarity,
  stopIndexThreads,
  textDigest,
  textDigestOf,
  type ToolVectors,
  type ToolSearch,
} from './search/index.ts'
export {
  explainTools,
  hasSufficientScopes,
  selectEntries,
  readSelected,
  type ToolFilter,
  readAllTools,
} from './query/select.ts'
export {
  type CachedToolkitContent,
  CacheFileDamaged,
  letterIcon,
  cachedReleases,
  type CachedRelease,
  type CachedToolkit,
  openOrWriteCachedToolkit,
  cachedDigests,
  removeUnusedCacheFiles,
} from './manifest/load/disk-cache/index.ts'
export { type ParameterPair, serializeParameter } from './manifest/compile/request/parameter-serialization.ts'
export {
  type DigestManifest,
  type EntryManifest,
  type HandshakeManifest,
  type RegistrationManifest,
  type TriggerWebhookManifest,
  type VerifyManifest,
  type VerifyOf,
} from './manifest/format/index.ts'
export {
  type IncomingDelivery,
  parseDelivery,
  type IncomingDeliveryRequest,
} from './manifest/compile/triggers/delivery.ts'
export {
  type CompiledRegistration,
  type CompiledWebhook,
  compileWebhook,
  type DeliveredItem,
  mergeWebhook,
} from './manifest/compile/triggers/webhook.ts'
export { parseTimestampMs } from './manifest/compile/response/retry-after.ts'
export { MissingValue, UnsafeValue } from './manifest/compile/template/errors.ts'
export {
  compileTemplate,
  lookupFrom,
  render,
  renderOptional,
  valueToText,
} from './manifest/compile/template/templates.ts'
export { ABSENT, compileValue } from './manifest/compile/template/values.ts'
export {
  computeParameters,
  toFlatParameters,
  toObjectSchema,
  type ToolParameters,
  toolParameters,
} from './query/tool-parameters.ts'
export { triggerParameters } from './query/trigger-parameters.ts'
export { defaultV3Format, type ParameterFormatCaller, parameterFormatFor } from './query/parameter-format.ts'
export {
  type ToolRef,
  type Visibility,
  type TagLists,
  type ToolLists,
  visibilityFilter,
} from './query/visibility.ts'
export { parseTimestamp } from './manifest/compile/triggers/timestamps.ts'
