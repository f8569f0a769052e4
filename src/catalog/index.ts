/** Everything the rest of the program may use of the catalogue. */
export { encodeSegment, renderAddress } from './addresses.ts'
export { type FieldDescriptor, type FieldGroup, fieldsOf, mergedFields, type SchemeFieldGroups } from './auth-fields.ts'
export { FIRST_VERSION, LATEST } from './catalog.ts'
export { type CodeTool, type CodeToolContext, ToolFailure } from './code-tool.ts'
export { compileCondition, type ConditionManifest } from './conditions.ts'
export { catalogFrom, loadCatalog, type LoadOptions } from './load.ts'
export type {
  ApiKeyManifest, ApplyManifest, AuthSchemeManifest, BasicManifest, BearerTokenManifest, ClientAuthManifest, DcrOAuthManifest, ErrorMeaning, FieldManifest, JwtManifest, NoAuthManifest,
  OAuth2Manifest, RequestManifest, RevokeManifest, S2SOAuth2Manifest, SignManifest, SignOf, ToolkitManifest, ToolManifest, VariantManifest,
} from './manifest/index.ts'
export type { BasicWithJwtManifest, GoogleServiceAccountManifest, OAuth1Manifest, ServiceAccountManifest, SessionManifest } from './manifest/index.ts'
export { ManifestError, type Mistake } from './mistakes.ts'
export { compilePath } from './paths.ts'
export type { SourceVersion, ToolkitSource } from './read.ts'
export type * from './records.ts'
export { headerText, renderRequest } from './request.ts'
export { SCHEME_FIELDS, type SchemeFields } from './scheme-fields.ts'
export { compiledSchemeOf, schemeName, schemeOf } from './schemes.ts'
export { type RankedTool, rankTools } from './search.ts'
export { scopesSuffice, selectToolkits, selectTools, type ToolFilter, type ToolkitFilter, versionFor } from './select.ts'
export { MissingValue, UnsafeValue } from './template-errors.ts'
export { compileTemplate, lookupIn, render, renderOptional, textOf } from './templates.ts'
export { flatParameters, jsonSchemaView, type ToolViews, toolViews } from './views.ts'
