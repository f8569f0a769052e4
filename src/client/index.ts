export { PatchbayConnectionError, PatchbayError } from './errors.ts'
export type * from './generated/types.ts'
export type { RequestOptions } from './http.ts'
export { Patchbay, type PatchbayOptions, type RateLimitState } from './patchbay.ts'
export type {
  AiSdkTool,
  AnthropicTool,
  GoogleTool,
  JsonSchema,
  OpenAiResponsesTool,
  OpenAiTool,
} from './tool-formats.ts'
export { Toolset, type ToolResult, type ToolsetOptions } from './toolset.ts'
export type { Api, ItemOf, OperationId, RequestOf, ResponseOf } from './types.ts'
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookToVerify,
  WebhookVerificationError,
} from './webhooks.ts'
