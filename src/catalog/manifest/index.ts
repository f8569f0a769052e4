export { Tool, Tools, type RequestManifest, type ToolManifest } from './tool.ts'
export { type ErrorMeaning, Toolkit, type ToolkitManifest } from './toolkit.ts'
export type {
  ApiKeyManifest, ApplyManifest, AuthSchemeManifest, BasicManifest, BearerTokenManifest, FieldManifest, NoAuthManifest, OAuth2Manifest,
} from './auth.ts'
